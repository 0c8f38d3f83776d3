"""Cases for invoice requests: every rule of the reader broken alone, and its accepted neighbours."""

import secp256k1
from bolt12_documents import (
    ALICE, BITCOIN, DAVE, ISSUER_ID, METADATA, NOW, OFF_CURVE, PAYER, PAYER_ID, REGTEST, flipped, hop, offer, path,
    request, signed, stream,
)
from bolt12_reader import CHAINS, read_text, tu, write_text
from bolt12_rules import accept
from vector_files import outcome

OURS = ["bitcoin", "regtest"]
ANY = offer()
PRICED = offer(t8=tu(1000))
DOLLARS = offer(t6=b"USD", t8=tu(250))
FEW = offer(t8=tu(1000), t20=tu(5))
UNLIMITED = offer(t8=tu(1000), t20=tu(0))
BY_PATH = offer(t16=path() + path(hops=[hop(DAVE)]))
PATH_ONLY = offer(t16=path() + path(hops=[hop(), hop(DAVE)]), t22=None)
ENDING = offer(t14=tu(NOW))
ODD = secp256k1.N - int.from_bytes(PAYER, "big")
ODD_PAYER = ODD.to_bytes(32, "big") if secp256k1.public(PAYER)[0] == 2 else PAYER


def name353(name, domain):
    return bytes([len(name)]) + name + bytes([len(domain)]) + domain


def cases():
    """name, offer, request, and how it arrived when not as usual"""
    yield "an amount for an offer of any amount", ANY, request(ANY), {}
    yield "a payer id with an odd y", ANY, request(ANY, key=ODD_PAYER), {}
    yield "a note, an empty feature bitmap and a name", ANY, request(
        ANY, t84=b"", t89="für dich ☕".encode(), t91=name353(b"alice", b"example.com")), {}
    odd = offer(t33=b"\x01\x02", t1000000001=b"\x03")
    yield "unknown odd records of the offer, mirrored", odd, request(odd, t93=b"", t2000000001=b"y"), {}
    yield "no payer id", ANY, request(ANY, t88=None), {}
    yield "no metadata", ANY, request(ANY, t0=None), {}
    yield "empty metadata", ANY, request(ANY, t0=b""), {}
    yield "a record of type 160", ANY, request(ANY, t160=path()), {}
    yield "a record of type 161", ANY, request(ANY, t161=b""), {}
    yield "a record of type 1001", ANY, request(ANY, t1001=b""), {}
    yield "a record of type 2999999999", ANY, request(ANY, t2999999999=b""), {}
    yield "a record of type 3000000001", ANY, request(ANY, t3000000001=b""), {}
    yield "an unknown even record", ANY, request(ANY, t92=b""), {}
    yield "an unknown even experimental record", ANY, request(ANY, t2000000002=b""), {}
    yield "another odd signature", ANY, request(ANY, t241=b"anything"), {}
    yield "another even signature", ANY, request(ANY, t242=b"anything"), {}
    yield "an odd feature", ANY, request(ANY, t84=b"\x02"), {}
    yield "an even feature", ANY, request(ANY, t84=b"\x04"), {}
    yield "no signature", ANY, request(ANY, t240=None), {}
    yield "a signature of zeros", ANY, request(ANY, t240=bytes(64)), {}
    yield "a signature by another key", ANY, request(ANY, signer=b"\x47" * 32), {}
    yield "a signature for an invoice", ANY, wrong_tag(), {}
    yield "a changed signature", ANY, flipped(request(ANY), 240), {}
    yield "an amount changed after signing", ANY, flipped(request(ANY), 82), {}
    yield "metadata changed after signing", ANY, flipped(request(ANY), 0), {}
    yield "a signature of 63 bytes", ANY, request(ANY, t240=bytes(63)), {}
    yield "a signature of 65 bytes", ANY, request(ANY, t240=bytes(65)), {}
    yield "a payer's path without a hop", ANY, request(ANY, t90=path(hops=[])), {}
    yield "a payer's path with a hop", ANY, request(ANY, t90=path()), {}

    yield "another offer", PRICED, request(ANY), {}
    yield "a changed description", ANY, request(ANY, t10=b"tee"), {}
    yield "an offer's record left out", odd, request(odd, t33=None), {}
    yield "an offer's record added", ANY, request(ANY, t18=b"somebody"), {}
    yield "an experimental offer's record added", ANY, request(ANY, t1000000003=b""), {}
    yield "in the last second of the offer", ENDING, request(ENDING), {}
    yield "a second after the end of the offer", ENDING, request(ENDING), {"now": NOW + 1}

    yield "over the first path", BY_PATH, request(BY_PATH), {"arrival": "path", "path": 0}
    yield "over the second path", BY_PATH, request(BY_PATH), {"arrival": "path", "path": 1}
    yield "over a path that there is not", BY_PATH, request(BY_PATH), {"arrival": "path", "path": 2}
    yield "directly, for an offer with paths", BY_PATH, request(BY_PATH), {"arrival": "direct"}
    yield "from a forwarder, for an offer with paths", BY_PATH, request(BY_PATH), {"arrival": "forwarder"}
    yield "over a path, for an offer without one", ANY, request(ANY), {"arrival": "path", "path": 0}
    yield "from a forwarder, for an offer without paths", ANY, request(ANY), {"arrival": "forwarder"}
    yield "over the first path, without an issuer id", PATH_ONLY, request(PATH_ONLY), {"arrival": "path", "path": 0}
    yield "over the second path, without an issuer id", PATH_ONLY, request(PATH_ONLY), {"arrival": "path", "path": 1}
    yield "from a forwarder, without an issuer id", PATH_ONLY, request(PATH_ONLY), {"arrival": "forwarder"}
    yield "directly, without an issuer id", PATH_ONLY, request(PATH_ONLY), {"arrival": "direct"}

    yield "no quantity, but a maximum", FEW, request(FEW), {}
    yield "a quantity of zero", FEW, request(FEW, t86=tu(0)), {}
    yield "a quantity of one", FEW, request(FEW, t86=tu(1)), {}
    yield "the greatest quantity", FEW, request(FEW, t82=None, t86=tu(5)), {}
    yield "a quantity of one too many", FEW, request(FEW, t86=tu(6), t82=tu(6000)), {}
    yield "a quantity without a maximum", PRICED, request(PRICED, t86=tu(1)), {}
    yield "an unlimited quantity", UNLIMITED, request(UNLIMITED, t82=None, t86=tu(10**6)), {}
    yield "an unlimited quantity of zero", UNLIMITED, request(UNLIMITED, t86=tu(0)), {}
    yield "a quantity whose amount overflows 64 bits", UNLIMITED, request(UNLIMITED, t82=None, t86=tu(2**64 - 1)), {}
    yield "a quantity whose amount is 21 million bitcoin", UNLIMITED, request(
        UNLIMITED, t82=None, t86=tu(21 * 10**14)), {}
    yield "a quantity whose amount exceeds 21 million bitcoin", UNLIMITED, request(
        UNLIMITED, t82=None, t86=tu(21 * 10**14 + 1)), {}

    yield "no amount, for an offer that has one", PRICED, request(PRICED, t82=None), {}
    yield "no amount at all", ANY, request(ANY, t82=None), {}
    yield "the exact amount", PRICED, request(PRICED, t82=tu(1000)), {}
    yield "one msat too low", PRICED, request(PRICED, t82=tu(999)), {}
    yield "one msat too low for the quantity", FEW, request(FEW, t86=tu(3), t82=tu(2999)), {}
    yield "five times the amount", PRICED, request(PRICED, t82=tu(5000)), {}
    yield "one msat more than five times the amount", PRICED, request(PRICED, t82=tu(5001)), {}
    yield "an amount of 21 million bitcoin", ANY, request(ANY, t82=tu(21 * 10**17)), {}
    yield "an amount that exceeds 21 million bitcoin", ANY, request(ANY, t82=tu(21 * 10**17 + 1)), {}
    yield "an amount of 2^64 - 1 msat", ANY, request(ANY, t82=tu(2**64 - 1)), {}
    yield "an amount with a leading zero", ANY, request(ANY, t82=b"\x00\x01"), {}
    yield "an amount of nine bytes", ANY, request(ANY, t82=b"\x01" + bytes(8)), {}
    yield "a currency with a converter", DOLLARS, request(DOLLARS, t82=None), {"rates": {"USD": 20000}}
    yield "a currency with a converter, one msat too low", DOLLARS, request(DOLLARS, t82=tu(4999999)), {
        "rates": {"USD": 20000}}
    yield "a currency without a converter", DOLLARS, request(DOLLARS, t82=tu(10**7)), {}
    yield "a currency with a converter for another", DOLLARS, request(DOLLARS, t82=None), {"rates": {"EUR": 21000}}

    yield "bitcoin, named", ANY, request(ANY, t80=BITCOIN), {}
    yield "a chain of ours that the offer does not name", ANY, request(ANY, t80=REGTEST), {}
    regtest = offer(t2=REGTEST)
    yield "a chain of ours that the offer names", regtest, request(regtest, t80=REGTEST), {}
    yield "no chain, for an offer of another", regtest, request(regtest), {}
    yield "a chain that is not ours", regtest, request(regtest, t80=REGTEST), {"chains": ["bitcoin"]}
    yield "no chain, where bitcoin is not ours", ANY, request(ANY), {"chains": ["regtest"]}
    yield "a chain of 31 bytes", ANY, request(ANY, t80=bytes(31)), {}

    for label, value in (
        ("every letter that a name may have", name353(b"aZ09-_.", b"x")), ("an empty name", name353(b"", b"")),
        ("a space in the name", name353(b"a b", b"x")), ("an @ in the name", name353(b"a@b", b"x")),
        ("a letter beyond ASCII in the domain", name353(b"a", "ä.de".encode())),
        ("a name that is cut short", b"\x05abc"), ("a name without a domain", b"\x01a"),
        ("a byte after the domain", name353(b"a", b"x") + b"\x00"),
    ):
        yield label, ANY, request(ANY, t91=value), {}
    yield "a note that is not UTF-8", ANY, request(ANY, t89=b"\xff"), {}
    yield "a payer id that is no point", ANY, request(ANY, t88=OFF_CURVE), {}

    refund = {0: METADATA, 10: b"refund", 82: tu(1), 88: ALICE}
    yield "no offer", ANY, stream(refund), {}
    yield "no offer, but chains", ANY, stream({**refund, 2: BITCOIN}), {}
    yield "no offer, but features", ANY, stream({**refund, 12: b""}), {}
    yield "no offer, but a quantity maximum", ANY, stream({**refund, 20: tu(1)}), {}
    yield "no offer and no amount", ANY, stream({**refund, 82: None}), {}
    yield "no records", ANY, b"", {}


def wrong_tag():
    return signed(
        {0: METADATA, 10: b"tea", 22: ISSUER_ID, 82: tu(1000), 88: PAYER_ID}, "invoice", PAYER)


def judged(name, offer_bytes, request_bytes, options, source=None):
    given = {
        "offer": write_text(offer_bytes, "lno"), "invoiceRequest": write_text(request_bytes, "lnr"),
        "arrival": options.get("arrival", "direct"), "path": options.get("path"),
        "now": options.get("now", NOW), "chains": options.get("chains", OURS), "rates": options.get("rates", {}),
    }
    return outcome({"name": name, "input": given} | ({"source": source} if source else {}), lambda: accept(
        request_bytes, offer_bytes, given["arrival"], given["path"], given["now"],
        [CHAINS[chain] for chain in given["chains"]], given["rates"]))


def all_cases(published):
    for entry in published["cases"]:
        offer_bytes = read_text(entry["offer"], "lno")
        case = judged(
            entry["name"], offer_bytes, read_text(entry["invoiceRequest"], "lnr"), {"arrival": "forwarder"},
            published["source"])
        assert "expect" in case, case
        yield case
    for name, offer_bytes, request_bytes, options in cases():
        yield judged(name, offer_bytes, request_bytes, options)
