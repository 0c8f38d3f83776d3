"""Cases for invoices: every rule of a payer broken alone, and whole answers with fixed keys."""

import secp256k1
from bolt12_documents import (
    ALICE, BOB, CAROL, DAVE, ISSUER, METADATA, NOW, PAYER, REGTEST, SCIDDIR, flipped, hop, invoice, offer, path,
    payinfo, request, stream,
)
from bolt12_reader import CHAINS, read_stream, sign, tu, write_text
from bolt12_requests import ANY, OURS, PRICED, name353
from bolt12_rules import accept, check_invoice
from vector_files import Refused, outcome

ENDS = {DAVE: b"\x46" * 32, CAROL: b"\x45" * 32}
PATH_ONLY = offer(t16=path() + path(hops=[hop(), hop(DAVE)]), t22=None)
UNKNOWN = offer(t33=b"\x01\x02", t1000000001=b"\x03")
ASKED = request(ANY)
UNASKED = request(PRICED, t82=None)
BY_PATH = request(PATH_ONLY)
REFUND = stream({0: METADATA, 10: b"refund", 82: tu(1000), 88: ALICE})
REFUND_BY_PATH = stream({0: METADATA, 10: b"refund", 82: tu(1000), 88: ALICE, 90: path()})
WITH_UNKNOWN = request(UNKNOWN, t93=b"", t2000000001=b"y")
FALLBACKS = [(0, 20), (0, 21), (0, 32), (1, 1), (1, 2), (1, 32), (16, 40), (16, 41), (17, 20)]


def fallbacks(pairs):
    return b"".join(bytes([v]) + size.to_bytes(2, "big") + bytes(range(size)) for v, size in pairs)


def cases():
    """name, request, invoice, and how it arrived when not as usual"""
    yield "an invoice for the requested amount", ASKED, invoice(ASKED), {}
    yield "an invoice for the offer's amount", UNASKED, invoice(UNASKED), {}
    yield "unknown odd records, mirrored", WITH_UNKNOWN, invoice(WITH_UNKNOWN), {}
    yield "unknown odd records of its own", ASKED, invoice(ASKED, t177=b"x", t3000000001=b"y"), {}
    yield "an unknown even record of its own", ASKED, invoice(ASKED, t178=b"x"), {}
    yield "an unknown even experimental record of its own", ASKED, invoice(ASKED, t3000000002=b"y"), {}
    yield "no amount", ASKED, invoice(ASKED, t170=None), {}
    yield "no time of creation", ASKED, invoice(ASKED, t164=None), {}
    yield "no payment hash", ASKED, invoice(ASKED, t168=None), {}
    yield "a payment hash of 31 bytes", ASKED, invoice(ASKED, t168=bytes(31)), {}
    yield "no node id", ASKED, invoice(ASKED, t176=None), {}
    regtest = request(offer(t2=REGTEST), t80=REGTEST)
    yield "a chain of ours", regtest, invoice(regtest), {}
    yield "a chain that is not ours", regtest, invoice(regtest), {"chains": ["bitcoin"]}
    yield "bitcoin, which is not ours", ASKED, invoice(ASKED), {"chains": ["regtest"]}
    yield "an odd feature", ASKED, invoice(ASKED, t174=b"\x08\x00\x00\x00"), {}
    yield "an even feature", ASKED, invoice(ASKED, t174=b"\x04\x00\x00\x00"), {}
    yield "several parts required", ASKED, invoice(ASKED, t174=b"\x01\x00\x00"), {}
    yield "several parts allowed", ASKED, invoice(ASKED, t174=b"\x02\x00\x00"), {}
    yield "in the last second of the usual expiry", ASKED, invoice(ASKED), {"now": NOW + 7200}
    yield "a second after the usual expiry", ASKED, invoice(ASKED), {"now": NOW + 7201}
    yield "in the last second of a stated expiry", ASKED, invoice(ASKED, t166=tu(60)), {"now": NOW + 60}
    yield "a second after a stated expiry", ASKED, invoice(ASKED, t166=tu(60)), {"now": NOW + 61}
    yield "the longest expiry", ASKED, invoice(ASKED, t166=tu(2**32 - 1)), {}
    yield "an expiry of five bytes", ASKED, invoice(ASKED, t166=tu(2**32)), {}
    yield "no paths", ASKED, invoice(ASKED, t160=None), {}
    yield "an empty list of paths", ASKED, invoice(ASKED, t160=b""), {}
    yield "a path without a hop", ASKED, invoice(ASKED, t160=path(hops=[])), {}
    yield "no payinfo", ASKED, invoice(ASKED, t162=None), {}
    yield "fewer payinfos than paths", ASKED, invoice(ASKED, t160=path() + path()), {}
    yield "more payinfos than paths", ASKED, invoice(ASKED, t162=payinfo() + payinfo()), {}
    yield "a payinfo that is cut short", ASKED, invoice(ASKED, t162=payinfo()[:-1]), {}
    yield "two paths, one by a channel", ASKED, invoice(
        ASKED, t160=path() + path(introduction=SCIDDIR), t162=payinfo() + payinfo()), {}
    yield "two paths, the first with an unknown even feature", ASKED, invoice(
        ASKED, t160=path() + path(introduction=SCIDDIR), t162=payinfo(features=b"\x01") + payinfo()), {}
    yield "one path with an unknown even feature", ASKED, invoice(ASKED, t162=payinfo(features=b"\x04")), {}
    yield "one path with an unknown odd feature", ASKED, invoice(ASKED, t162=payinfo(features=b"\x02")), {}
    yield "one path with sixteen zero bytes of features", ASKED, invoice(ASKED, t162=payinfo(features=bytes(16))), {}

    yield "a record of the request left out", WITH_UNKNOWN, invoice(WITH_UNKNOWN, t33=None), {}
    yield "an experimental record of the request left out", WITH_UNKNOWN, invoice(
        WITH_UNKNOWN, t2000000001=None), {}
    yield "a record of the request changed", ASKED, invoice(ASKED, t10=b"tee"), {}
    yield "the metadata changed", ASKED, invoice(ASKED, t0=METADATA[::-1]), {}
    yield "a record added that belongs to a request", ASKED, invoice(ASKED, t89=b"note"), {}
    yield "an experimental record added that belongs to a request", ASKED, invoice(ASKED, t1000000003=b""), {}
    yield "another node than the issuer", ASKED, invoice(ASKED, key=PAYER), {}
    for index, node in enumerate((CAROL, DAVE)):
        answer = invoice(BY_PATH, key=ENDS[node])
        yield f"the end of path {index}, over which it was sent", BY_PATH, answer, {"sentToPath": index}
        yield f"the end of path {index}, when it was sent over the other", BY_PATH, answer, {"sentToPath": 1 - index}
        yield f"the end of path {index}, when the way is not known", BY_PATH, answer, {}
    yield "the end of no path", BY_PATH, invoice(BY_PATH), {}
    yield "no signature", ASKED, invoice(ASKED, t240=None), {}
    yield "a signature by another key", ASKED, invoice(ASKED, signer=PAYER), {}
    yield "a signature for an invoice request", ASKED, invoice(ASKED, name="invoice_request"), {}
    yield "the amount changed after signing", UNASKED, flipped(invoice(UNASKED), 170), {}
    yield "the payment hash changed after signing", ASKED, flipped(invoice(ASKED), 168), {}
    yield "one msat less than requested", ASKED, invoice(ASKED, t170=tu(999)), {}
    yield "one msat more than requested", ASKED, invoice(ASKED, t170=tu(1001)), {}
    yield "fallbacks, of which some are ignored", ASKED, invoice(ASKED, t172=fallbacks(FALLBACKS)), {}
    yield "a fallback that is cut short", ASKED, invoice(ASKED, t172=b"\x00\x00\x14abc"), {}

    yield "over the reply path", ASKED, invoice(ASKED), {"arrival": "reply"}
    yield "directly, for an offer", ASKED, invoice(ASKED), {"arrival": "direct"}
    yield "directly, for a refund", REFUND, invoice(REFUND), {"arrival": "direct"}
    yield "over a reply path, for a refund", REFUND, invoice(REFUND), {"arrival": "reply"}
    yield "over the path of a refund", REFUND_BY_PATH, invoice(REFUND_BY_PATH), {"arrival": "path", "path": 0}
    yield "over a path that the refund has not", REFUND_BY_PATH, invoice(REFUND_BY_PATH), {
        "arrival": "path", "path": 1}
    yield "directly, for a refund with a path", REFUND_BY_PATH, invoice(REFUND_BY_PATH), {"arrival": "direct"}
    yield "no records", ASKED, b"", {}


def invoice_cases():
    for name, asked, answer, options in cases():
        given = {
            "invoice": write_text(answer, "lni"), "invoiceRequest": write_text(asked, "lnr"),
            "arrival": options.get("arrival", "outside"), "path": options.get("path"),
            "sentToPath": options.get("sentToPath"), "now": options.get("now", NOW),
            "chains": options.get("chains", OURS),
        }
        yield outcome({"name": name, "input": given}, lambda: check_invoice(
            answer, asked, given["arrival"], given["path"], given["sentToPath"], given["now"],
            [CHAINS[chain] for chain in given["chains"]]))


def answers():
    """name, offer, request, key of the answering node, and what is not as usual"""
    yield "one path", ANY, ASKED, ISSUER, {}
    yield "the offer's amount", PRICED, UNASKED, ISSUER, {}
    yield "two paths, in order", ANY, ASKED, ISSUER, {
        "paths": [path(), path(introduction=SCIDDIR, hops=[hop(), hop(BOB, b"")])],
        "payinfos": [payinfo(), payinfo(base=0, rate=0, delta=144, most=2**64 - 1)]}
    yield "several parts allowed", ANY, ASKED, ISSUER, {"parts": "several-allowed"}
    yield "several parts required", ANY, ASKED, ISSUER, {"parts": "several-required"}
    yield "an expiry of a minute", ANY, ASKED, ISSUER, {"relativeExpiry": 60}
    yield "an expiry of no time", ANY, ASKED, ISSUER, {"relativeExpiry": 0}
    yield "fallbacks", ANY, ASKED, ISSUER, {"fallbacks": [(0, 20), (1, 32)]}
    yield "unknown odd records, repeated byte for byte", UNKNOWN, WITH_UNKNOWN, ISSUER, {}
    rich = request(
        ANY, t84=b"", t89="für dich ☕".encode(), t91=name353(b"alice", b"example.com"), t241=b"not repeated")
    yield "everything that a request can have", ANY, rich, ISSUER, {}
    yield "by the key of the first path", PATH_ONLY, BY_PATH, ENDS[CAROL], {"arrival": "path", "path": 0}
    yield "by the key of the second path", PATH_ONLY, BY_PATH, ENDS[DAVE], {"arrival": "path", "path": 1}
    yield "by another key than the issuer's", ANY, ASKED, PAYER, {}
    yield "by the key of another path", PATH_ONLY, BY_PATH, ENDS[CAROL], {"arrival": "path", "path": 1}
    yield "no path to pay over", ANY, ASKED, ISSUER, {"paths": [], "payinfos": []}


def answer_cases():
    for name, offered, asked, key, options in answers():
        given = {
            "offer": write_text(offered, "lno"), "invoiceRequest": write_text(asked, "lnr"),
            "arrival": options.get("arrival", "direct"), "path": options.get("path"), "now": NOW, "chains": OURS,
            "rates": {}, "secretKey": key.hex(), "createdAt": NOW,
            "relativeExpiry": options.get("relativeExpiry", 7200), "paymentHash": "77" * 32,
            "paths": [p.hex() for p in options.get("paths", [path()])],
            "payinfos": [p.hex() for p in options.get("payinfos", [payinfo()])],
            "parts": options.get("parts", "one"),
            "fallbacks": [{"version": v, "program": bytes(range(n)).hex()} for v, n in options.get("fallbacks", [])],
        }
        yield outcome({"name": name, "input": given}, lambda: {
            "invoice": write_text(answer(offered, asked, key, given, options), "lni")})


def answer(offered, asked, key, given, options):
    accepted = accept(
        asked, offered, given["arrival"], given["path"], NOW, [CHAINS[chain] for chain in OURS], {})
    if not given["paths"]:
        raise Refused("missing-paths")
    if secp256k1.public(key).hex() != accepted["nodeID"]:
        raise Refused("signer-is-not-node")
    own = {
        160: bytes.fromhex("".join(given["paths"])), 162: bytes.fromhex("".join(given["payinfos"])), 164: tu(NOW),
        168: b"\x77" * 32, 170: tu(accepted["amount"]), 176: bytes.fromhex(accepted["nodeID"]),
    }
    if given["relativeExpiry"] != 7200:
        own[166] = tu(given["relativeExpiry"])
    if options.get("fallbacks"):
        own[172] = fallbacks(options["fallbacks"])
    if given["parts"] != "one":
        own[174] = b"\x01\x00\x00" if given["parts"] == "several-required" else b"\x02\x00\x00"
    mirrored = [raw for kind, _, raw in read_stream(asked) if not 240 <= kind <= 1000]
    low = b"".join(raw for raw in mirrored if read_stream(raw)[0][0] < 160)
    high = b"".join(raw for raw in mirrored if read_stream(raw)[0][0] >= 160)
    middle = stream(own)
    unsigned = low + middle + high
    return low + middle + sign(read_stream(unsigned), "invoice", key) + high
