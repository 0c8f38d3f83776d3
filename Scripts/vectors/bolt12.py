#!/usr/bin/env python3
"""Second implementation of BOLT 12. Writes Vectors/bolt-12/; --check compares.

The specification's cases are in published/bolt12.json. Some fail for another reason than their title there says; their
names here tell both.
"""

import json
import pathlib

import bech32
import secp256k1
from bolt12_documents import (
    ALICE, BITCOIN, ISSUER_ID, NOW, OFF_CURVE, PAYER, REGTEST, SCIDDIR, hop, offer, path,
)
from bolt12_invoices import answer_cases, invoice_cases
from bolt12_reader import (
    CHAINS, check_offer, merkle_root, offer_id, read_offer, read_stream, read_text, record, sign, tu, write_text,
)
from bolt12_requests import DOLLARS, FEW, PRICED, UNLIMITED, all_cases, name353
from vector_files import Refused, document, main, outcome

OWN = "Scripts/vectors/bolt12.py"
PUBLISHED = json.loads((pathlib.Path(__file__).parent / "published" / "bolt12.json").read_text(encoding="utf-8"))
RULES = {
    "invalid-continuation": "A + does not stand between two other characters.",
    "invalid-character": "A character that the bech32 alphabet does not have.",
    "mixed-case": "Upper and lower case in one text.",
    "missing-separator": "No 1 after the prefix.",
    "empty-human-readable-part": "Nothing before the separator.",
    "bad-padding": "The bits after the last byte are five or more, or not zero.",
    "too-long": "A text of more than 131072 characters.",
    "wrong-prefix": "Another prefix than lno, that of an offer.",
    "stream-truncated": "A record goes beyond the end of the stream (BOLT 1).",
    "stream-not-minimal": "A bigsize is not in its shortest form (BOLT 1).",
    "stream-out-of-order": "A type is lower than the one before (BOLT 1).",
    "stream-duplicate": "A type comes twice (BOLT 1).",
    "unknown-even-type": "A record of an unknown even type (BOLT 1).",
    "value-empty": "A list without an entry.",
    "value-truncated": "A value is too short.",
    "value-trailing-bytes": "A value is too long.",
    "value-too-long": "A truncated integer has more bytes than its type.",
    "value-leading-zero": "A truncated integer begins with a zero byte.",
    "value-invalid-utf8": "A text is not UTF-8.",
    "value-not-a-point": "A key is not a compressed point of the curve.",
    "path-truncated": "A blinded path or payinfo is too short.",
    "path-invalid-introduction-node": "A path starts at neither a channel's end nor a point.",
    "path-invalid-path-key": "first_path_key is not a point.",
    "path-invalid-blinded-node-id": "A blinded_node_id is not a point.",
    "path-without-hops": "A path has no hop.",
    "type-out-of-range": "A record of a type that the document may not have.",
    "unknown-required-feature": "An even feature bit that is not known.",
    "unsupported-chain": "The chain is not ours, or not the offer's.",
    "amount-without-description": "offer_amount without offer_description.",
    "amount-not-positive": "offer_amount is zero.",
    "currency-without-amount": "offer_currency without offer_amount.",
    "no-way-to-issuer": "Neither offer_issuer_id nor offer_paths.",
    "expired": "The expiry is over.",
    "missing-payer-id": "No invreq_payer_id.",
    "missing-metadata": "No invreq_metadata.",
    "missing-signature": "No signature.",
    "invalid-signature": "The signature is not that of the stated key over these records.",
    "offer-mismatch": "The mirrored records are not those of the offer.",
    "offer-expired": "offer_absolute_expiry is over.",
    "not-via-offer-path": "The offer has paths and the request came over none of them: to be ignored.",
    "via-blinded-path": "A blinded path was taken where there is none: a request is then to be ignored.",
    "missing-quantity": "offer_quantity_max without invreq_quantity.",
    "quantity-not-positive": "invreq_quantity is zero.",
    "quantity-too-large": "invreq_quantity exceeds offer_quantity_max.",
    "unexpected-quantity": "invreq_quantity without offer_quantity_max.",
    "unsupported-currency": "No rate for offer_currency.",
    "amount-overflow": "An amount exceeds 21 million bitcoin.",
    "amount-too-low": "invreq_amount is less than the expected amount.",
    "amount-too-high": "invreq_amount exceeds five times the expected amount (the specification leaves the factor open).",
    "missing-amount": "No amount where one is needed.",
    "field-without-offer": "offer_chains, offer_features or offer_quantity_max without an offer.",
    "invalid-bip353-name": "invreq_bip_353_name has another byte than 0-9 a-z A-Z - _ .",
    "missing-created-at": "No invoice_created_at.",
    "missing-payment-hash": "No invoice_payment_hash.",
    "missing-node-id": "No invoice_node_id.",
    "missing-paths": "No invoice_paths.",
    "missing-blinded-pay": "No invoice_blindedpay.",
    "blinded-pay-mismatch": "Not exactly one payinfo for each path.",
    "no-usable-path": "Every payinfo has an unknown even feature.",
    "request-mismatch": "A record of the request is missing, changed or new.",
    "node-is-not-issuer": "invoice_node_id is not offer_issuer_id.",
    "node-is-not-path-end": "invoice_node_id is not the last blinded node id of the path taken.",
    "amount-is-not-requested": "invoice_amount is not invreq_amount.",
    "not-via-request-path": "The invoice did not come over a path of the request.",
    "not-via-reply-path": "The invoice did not come over the reply path.",
    "signer-is-not-node": "The key is not the one that the request must be answered with.",
    "missing-message": "No error.",
    "suggestion-without-field": "suggested_value without erroneous_field.",
}


# Texts


def normalized(text):
    data = read_text(text, "lno")
    return {"bytes": data.hex(), "text": write_text(data, "lno")}


def text_cases():
    for entry in PUBLISHED["texts"]["cases"]:
        case = outcome({"name": entry["name"], "input": {"text": entry["text"]}}, lambda: normalized(entry["text"]))
        assert ("expect" in case) == entry["valid"], case
        yield case
    text = write_text(offer(), "lno")
    groups = bech32.to_groups(offer())
    spare = -len(offer()) * 8 % 5
    own = {
        "an invoice request": "lnr" + text[3:],
        "another prefix": "lnx" + text[3:],
        "no separator": text.replace("1", ""),
        "nothing before the separator": text[3:],
        "nothing after the separator": "lno1",
        "a checksum, as bech32 has it": bech32.encode("lno", groups, "bech32"),
        "a 1 among the data": text[:20] + "1" + text[20:],
        "white space without a +": text[:20] + " " + text[20:],
        "white space before the +": text[:20] + " +" + text[20:],
        "every white space after the +": text[:20] + "+ \t\r\n" + text[20:],
        "a no-break space after the +": text[:20] + "+\u00a0" + text[20:],
        "a + between each two characters": "lno1" + "+".join(text[4:]),
        "white space at the end": text + " ",
        "a letter beyond ASCII": text + "ö",
        "a group too many": text + "q",
        "a text of 131073 characters": bech32.encode("lno", [0] * (2**17 - 3), "none"),
    }
    if spare:
        own["padding that is not zero"] = bech32.encode("lno", groups[:-1] + [groups[-1] | 1], "none")
    for name, value in own.items():
        def compute(value=value):
            if len(value.encode()) > 2**17:
                raise Refused("too-long")
            return normalized(value)

        yield outcome({"name": name, "source": OWN, "input": {"text": value}}, compute)


# Offers


def offer_values(data, chains, now):
    values = read_offer(data)
    if now is not None:
        check_offer(values, [CHAINS[chain] for chain in chains], now)
    return {**values, "id": offer_id(data)}


def own_offers():
    """name, bytes, and chains and time to ask for when any"""
    for name, data in (
        ("a path that starts at no point", path(introduction=OFF_CURVE)),
        ("a path that starts with the byte 04", path(introduction=b"\x04" + ALICE[1:])),
        ("a path whose key is no point", path(key=OFF_CURVE)),
        ("a path whose blinded id is no point", path(hops=[hop(OFF_CURVE)])),
        ("a path whose second blinded id is no point", path(hops=[hop(), hop(OFF_CURVE)])),
        ("a path without a hop", path(hops=[])),
        ("a path that ends within a hop", path()[:-1]),
        ("a path with a byte too many", path() + b"\x00"),
        ("a path that promises one hop more", path()[:66] + b"\x02" + path()[67:]),
        ("no path in the list of paths", b""),
        ("a path at the other end of a channel", path(introduction=b"\x00" + SCIDDIR[1:])),
        ("a path of 255 hops", path(hops=[hop(data=b"")] * 255)),
        ("a hop of 1300 bytes", path(hops=[hop(data=bytes(1300))])),
    ):
        yield name, offer(t16=data), {}
    yield "a record of type 0", record(0, b"x") + offer(), {}
    yield "an unknown record of type 79", offer(t79=b"x"), {}
    yield "a record of type 80, which a request may have", offer(t80=BITCOIN), {}
    yield "a record of type 81", offer(t81=b""), {}
    yield "a record of type 240", offer(t240=bytes(64)), {}
    yield "a record of type 999999999", offer(t999999999=b""), {}
    yield "the unknown even type 24", offer(t24=b""), {}
    yield "the unknown even type 1000000002", offer(t1000000002=b""), {}
    yield "the unknown odd type 1999999999", offer(t1999999999=b"xyz"), {}
    yield "a record of type 2000000000", offer(t2000000000=b""), {}
    yield "a record of type 2000000001", offer(t2000000001=b""), {}
    yield "a record that comes twice", record(10, b"a") + record(10, b"a") + record(22, ISSUER_ID), {}
    yield "a type that is not minimal", b"\xfd\x00\x0a\x01a" + record(22, ISSUER_ID), {}
    yield "a length that is not minimal", b"\x0a\xfd\x00\x01a" + record(22, ISSUER_ID), {}
    yield "a length of 2^64 - 1", b"\x0a" + b"\xff" * 9, {}
    yield "an amount with a leading zero", offer(t8=b"\x00\x01"), {}
    yield "an amount of nine bytes", offer(t8=b"\x01" + bytes(8)), {}
    yield "an amount of 2^64 - 1", offer(t8=tu(2**64 - 1)), {}
    yield "an amount of zero in one byte", offer(t8=b"\x00"), {}
    yield "an amount of one", offer(t8=tu(1)), {}
    yield "an amount with an empty description", offer(t8=tu(1), t10=b""), {}
    yield "a currency of four letters", offer(t6=b"USDT", t8=tu(1)), {}
    yield "an issuer id of 32 bytes", offer(t22=ISSUER_ID[1:]), {}
    yield "an issuer id of 34 bytes", offer(t22=ISSUER_ID + b"\x00"), {}
    yield "an issuer id with the prefix 04", offer(t22=b"\x04" + ISSUER_ID[1:]), {}
    yield "an issuer id with an odd y", offer(t22=bytes([ISSUER_ID[0] ^ 1]) + ISSUER_ID[1:]), {}
    yield "no features in the bitmap", offer(t12=b""), {}
    yield "leading zero bytes in the bitmap", offer(t12=b"\x00\x00\x02"), {}
    yield "the even feature 0", offer(t12=b"\x01"), {}
    yield "a chain and a half", offer(t2=BITCOIN + BITCOIN[:16]), {}
    yield "empty metadata", offer(t4=b""), {}
    yield "an expiry with a leading zero", offer(t14=b"\x00\x01"), {}
    both = {"chains": ["bitcoin", "regtest"]}
    yield "an expiry that is not over", offer(t14=tu(NOW)), {**both, "now": NOW}
    yield "an expiry that is over", offer(t14=tu(NOW)), {**both, "now": NOW + 1}
    yield "an expiry at the end of 64 bits", offer(t14=tu(2**64 - 1)), {**both, "now": NOW}
    yield "an expiry of zero", offer(t14=b""), {**both, "now": NOW}
    yield "no chain, where bitcoin is ours", offer(), {"chains": ["bitcoin"], "now": NOW}
    yield "no chain, where bitcoin is not ours", offer(), {"chains": ["regtest"], "now": NOW}
    yield "two chains, one of them ours", offer(t2=bytes(32) + REGTEST), {"chains": ["regtest"], "now": NOW}
    yield "two chains, none of them ours", offer(t2=bytes(32) + REGTEST), {"chains": ["bitcoin"], "now": NOW}


def offer_cases():
    for entry in PUBLISHED["offers"]["cases"]:
        given = {"offer": entry["text"], "chains": None, "now": None}
        case = outcome(
            {"name": entry["name"], "input": given}, lambda: offer_values(read_text(entry["text"], "lno"), None, None))
        assert ("expect" in case) == entry["valid"], case
        yield case
    for entry in PUBLISHED["offerIDs"]["cases"]:
        given = {"offer": entry["text"], "chains": None, "now": None}
        values = offer_values(read_text(entry["text"], "lno"), None, None)
        assert values["id"] == entry["id"], entry
        yield {"name": entry["name"], "source": PUBLISHED["offerIDs"]["source"], "input": given, "expect": values}
    for name, data, when in own_offers():
        given = {"offer": write_text(data, "lno"), "chains": when.get("chains"), "now": when.get("now")}
        yield outcome(
            {"name": name, "source": OWN, "input": given},
            lambda: offer_values(data, given["chains"], given["now"]))


# Merkle trees and requests of our own


def merkle_cases():
    for entry in PUBLISHED["merkle"]["cases"]:
        assert merkle_root(read_stream(bytes.fromhex(entry["stream"]))).hex() == entry["root"]
        yield {
            "name": entry["name"], "input": {"stream": entry["stream"]}, "expect": {"root": entry["root"]}}
    for count in range(1, 41):
        data = b"".join(record(2 * index + 1, bytes([index]) * index) for index in range(count))
        root = merkle_root(read_stream(data)).hex()
        yield {
            "name": f"{count} leaves", "source": OWN, "input": {"stream": data.hex()}, "expect": {"root": root}}
    types = b"".join(record(kind, b"x") for kind in (0, 252, 253, 1001, 65535, 65536, 2**32 - 1, 2**32, 2**64 - 1))
    yield {
        "name": "types of every length, and one among the signatures", "source": OWN,
        "input": {"stream": types.hex()}, "expect": {"root": merkle_root(read_stream(types)).hex()}}


def made(offered, given):
    own = {
        0: bytes.fromhex(given["metadata"]), 80: bytes.fromhex(CHAINS[given["chain"]]),
        82: None if given["amount"] is None else tu(given["amount"]),
        86: None if given["quantity"] is None else tu(given["quantity"]),
        88: secp256k1.public(bytes.fromhex(given["secretKey"])),
        89: None if given["payerNote"] is None else given["payerNote"].encode(),
        91: None if given["bip353Name"] is None else name353(*given["bip353Name"].encode().split(b"@")),
    }
    if given["chain"] == "bitcoin":
        own[80] = None
    fields = {kind: value for kind, value, _ in read_stream(offered)}
    fields.update({kind: value for kind, value in own.items() if value is not None})
    ordered = [record(kind, value) for kind, value in sorted(fields.items())]
    signature = sign(read_stream(b"".join(ordered)), "invoice_request", bytes.fromhex(given["secretKey"]))
    return b"".join(sorted(ordered + [signature], key=lambda raw: read_stream(raw)[0][0]))


def request_making_cases():
    usual = {
        "metadata": "00" * 15 + "01", "chain": "bitcoin", "amount": None, "quantity": None, "payerNote": None,
        "bip353Name": None, "secretKey": PAYER.hex(),
    }
    unknown = offer(t33=b"\x01\x02", t1000000001=b"\x03")
    for name, offered, changes in (
        ("the offer's amount", PRICED, {}), ("an amount", offer(), {"amount": 21000}),
        ("a quantity", FEW, {"quantity": 3}), ("an unlimited quantity", UNLIMITED, {"quantity": 10**6}),
        ("a note and a name", offer(), {"amount": 1, "payerNote": "für dich ☕", "bip353Name": "alice@example.com"}),
        ("another chain", offer(t2=REGTEST), {"amount": 1, "chain": "regtest"}),
        ("unknown records, copied", unknown, {"amount": 1}),
        ("an amount in another currency, which only the issuer can judge", DOLLARS, {"amount": 1}),
    ):
        given = {"offer": write_text(offered, "lno"), **usual, **changes}
        yield {
            "name": name, "input": given, "expect": {"invoiceRequest": write_text(made(offered, given), "lnr")}}
    for name, offered, changes, rule in (
        ("no amount for an offer of any amount", offer(), {}, "missing-amount"),
        ("less than the offer's amount", PRICED, {"amount": 999}, "amount-too-low"),
        ("no quantity", FEW, {}, "missing-quantity"), ("a quantity of zero", FEW, {"quantity": 0}, "quantity-not-positive"),
        ("too great a quantity", FEW, {"quantity": 6}, "quantity-too-large"),
        ("a quantity that is not asked for", PRICED, {"quantity": 1}, "unexpected-quantity"),
        ("a chain that is not the offer's", PRICED, {"chain": "regtest"}, "unsupported-chain"),
        ("a quantity whose amount overflows", UNLIMITED, {"quantity": 2**64 - 1}, "amount-overflow"),
    ):
        yield {"name": name, "input": {"offer": write_text(offered, "lno"), **usual, **changes}, "reject": rule}


# Errors


def error_values(data):
    fields = {"erroneousField": None, "suggestedValue": None, "message": None}
    for kind, value, _ in read_stream(data):
        if kind == 1:
            if len(value) > 8:
                raise Refused("value-too-long")
            if value[:1] == b"\x00":
                raise Refused("value-leading-zero")
            fields["erroneousField"] = int.from_bytes(value, "big")
        elif kind == 3:
            fields["suggestedValue"] = value.hex()
        elif kind == 5:
            try:
                fields["message"] = value.decode("utf-8")
            except UnicodeDecodeError:
                raise Refused("value-invalid-utf8")
        elif kind % 2 == 0:
            raise Refused("unknown-even-type")
    if fields["message"] is None:
        raise Refused("missing-message")
    if fields["suggestedValue"] is not None and fields["erroneousField"] is None:
        raise Refused("suggestion-without-field")
    return fields


def error_cases():
    for name, data in (
        ("a message", record(5, b"no")), ("an empty message", record(5, b"")),
        ("a field", record(1, tu(82)) + record(5, b"no")),
        ("a field and a value for it", record(1, tu(82)) + record(3, tu(1000)) + record(5, b"no")),
        ("a value without a field", record(3, b"") + record(5, b"no")), ("no message", record(1, tu(82))),
        ("nothing", b""), ("an unknown odd record", record(5, b"no") + record(7, b"x")),
        ("an unknown even record", record(5, b"no") + record(6, b"x")), ("a message that is not UTF-8", record(5, b"\xff")),
        ("a field with a leading zero", record(1, b"\x00\x01") + record(5, b"no")),
    ):
        yield outcome({"name": name, "input": {"invoiceError": data.hex()}}, lambda: error_values(data))


def file(subject, description, source, cases):
    return document("BOLT 12", subject, description, source, list(cases), RULES)


FILES = {
    "bolt-12/text.json": lambda: file(
        "text", "Read input.text as an offer's text: one of another document is refused by its prefix. Compare its bytes, and the text in its plain form, in lower case.",
        PUBLISHED["texts"]["source"], text_cases()),
    "bolt-12/offer.json": lambda: file(
        "offer", "Read input.offer; where input.now is given, also ask whether one of input.chains is the offer's and "
        "its time not over. Compare every field, null for an absent one, and the id: the SHA-256 of all records. "
        "input.chains has names of networks, chains the 32 bytes of genesis blocks as in the offer; features has the numbers "
        "of the set bits, ascending, and is null without the record.",
        PUBLISHED["offers"]["source"], offer_cases()),
    "bolt-12/merkle-root.json": lambda: file(
        "merkle-root", "Compute the merkle root of the records in input.stream, those of type 240 to 1000 left out.",
        PUBLISHED["merkle"]["source"], merkle_cases()),
    "bolt-12/invoice-request.json": lambda: file(
        "invoice-request", "Judge input.invoiceRequest as the issuer of input.offer, at the time input.now, on one of "
        "input.chains, which has names of networks. input.arrival is path (over the offer's path of the index input.path), direct, or forwarder (the "
        "rule about paths is not applied). input.rates gives msat for the smallest unit of a currency. Compare the "
        "amount in msat that the invoice must ask for, and the key that must sign it.", OWN,
        all_cases(PUBLISHED["invoiceRequests"])),
    "bolt-12/make-invoice-request.json": lambda: file(
        "make-invoice-request", "Make an invoice request for input.offer and sign it with input.secretKey, with 32 zero "
        "bytes as auxiliary randomness. Compare the whole text.", OWN, request_making_cases()),
    "bolt-12/invoice.json": lambda: file(
        "invoice", "Judge input.invoice as the payer who sent input.invoiceRequest, over the offer's path of the index "
        "input.sentToPath when that is given, at the time input.now, on one of input.chains, which has names of networks. input.arrival is reply (over "
        "the reply path), path (over the request's path of the index input.path), direct, or outside (the rules about "
        "the way are not applied). Compare every value; of the usable paths the introduction nodes.", OWN,
        invoice_cases()),
    "bolt-12/answer.json": lambda: file(
        "answer", "Judge input.invoiceRequest as for invoice-request, and answer it with an invoice of input's values, "
        "signed with input.secretKey, with 32 zero bytes as auxiliary randomness. Compare the whole text.", OWN,
        answer_cases()),
    "bolt-12/invoice-error.json": lambda: file(
        "invoice-error", "Read input.invoiceError. Compare its values, null for an absent one.", OWN, error_cases()),
}

if __name__ == "__main__":
    main({path: make() for path, make in FILES.items()})
