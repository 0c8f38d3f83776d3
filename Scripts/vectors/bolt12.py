"""BOLT 12: texts, offers, invoice requests, invoices and errors, read, judged and written."""

import hashlib

import secp256k1
from bolt12_reader import (
    CHAINS, ERROR, check_offer, merkle_root, read_fields, read_offer, read_stream, read_text, sign, write_text,
)
from bolt12_rules import accept, check_invoice, due
from refused import Refused
from tlv import stream, write_truncated


def normalized(text):
    if len(text.encode()) > 2**17:
        raise Refused("too-long")
    data = read_text(text, "lno")
    return {"bytes": data.hex(), "text": write_text(data, "lno")}


def offer(offer, chains, now):
    data = read_text(offer, "lno")
    values = read_offer(data)
    if now is not None:
        check_offer(values, [CHAINS[chain] for chain in chains], now)
    return {**values, "id": hashlib.sha256(data).hexdigest()}


def root(stream):
    return {"root": merkle_root(read_stream(bytes.fromhex(stream))).hex()}


def invoice_request(offer, invoiceRequest, arrival, path, now, chains, rates):
    return accept(
        read_text(invoiceRequest, "lnr"), read_text(offer, "lno"), arrival, path, now,
        [CHAINS[chain] for chain in chains], rates)


def invoice(invoice, invoiceRequest, arrival, path, sentToPath, now, chains):
    return check_invoice(
        read_text(invoice, "lni"), read_text(invoiceRequest, "lnr"), arrival, path, sentToPath, now,
        [CHAINS[chain] for chain in chains])


def invoice_error(invoiceError):
    (fields,) = read_fields(read_stream(bytes.fromhex(invoiceError)), ERROR)
    if fields["message"] is None:
        raise Refused("missing-message")
    if fields["suggestedValue"] is not None and fields["erroneousField"] is None:
        raise Refused("suggestion-without-field")
    return fields


def signed(records, name, key):
    """The stream of these records, {type: value}, and of their signature."""
    unsigned = read_stream(stream(*sorted(records.items())))
    return stream(*sorted({**records, 240: sign(unsigned, name, key)}.items()))


def make_invoice_request(offer, metadata, chain, amount, quantity, payerNote, bip353Name, secretKey):
    data, key = read_text(offer, "lno"), bytes.fromhex(secretKey)
    values = read_offer(data)
    # Only the issuer can judge an amount in another currency.
    due(values if values["currency"] is None else {**values, "amount": None}, CHAINS[chain], quantity, amount, {})
    records = {kind: value for kind, value, _ in read_stream(data)}
    records |= {0: bytes.fromhex(metadata), 88: secp256k1.public(key)}
    if chain != "bitcoin":
        records[80] = bytes.fromhex(CHAINS[chain])
    if amount is not None:
        records[82] = write_truncated(amount)
    if quantity is not None:
        records[86] = write_truncated(quantity)
    if payerNote is not None:
        records[89] = payerNote.encode()
    if bip353Name is not None:
        records[91] = b"".join(bytes([len(part)]) + part for part in bip353Name.encode().split(b"@"))
    return {"invoiceRequest": write_text(signed(records, "invoice_request", key), "lnr")}


FEATURES = {"one": {}, "several-required": {174: b"\x01\x00\x00"}, "several-allowed": {174: b"\x02\x00\x00"}}


def answer(
    offer, invoiceRequest, arrival, path, now, chains, rates, secretKey, createdAt, relativeExpiry, paymentHash, paths,
    payinfos, parts, fallbacks,
):
    accepted = invoice_request(offer, invoiceRequest, arrival, path, now, chains, rates)
    key = bytes.fromhex(secretKey)
    if not paths:
        raise Refused("missing-paths")
    if secp256k1.public(key).hex() != accepted["nodeID"]:
        raise Refused("signer-is-not-node")
    request = read_stream(read_text(invoiceRequest, "lnr"))
    records = {kind: value for kind, value, _ in request if not 240 <= kind <= 1000} | FEATURES[parts] | {
        160: bytes.fromhex("".join(paths)), 162: bytes.fromhex("".join(payinfos)), 164: write_truncated(createdAt),
        168: bytes.fromhex(paymentHash), 170: write_truncated(accepted["amount"]), 176: bytes.fromhex(accepted["nodeID"]),
    }
    if relativeExpiry != 7200:
        records[166] = write_truncated(relativeExpiry)
    if fallbacks:
        records[172] = b"".join(
            bytes([fallback["version"]]) + (len(fallback["program"]) // 2).to_bytes(2, "big")
            + bytes.fromhex(fallback["program"]) for fallback in fallbacks)
    return {"invoice": write_text(signed(records, "invoice", key), "lni")}
