"""The rules for readers of invoice requests and invoices (BOLT 12), in the order in which this package applies them."""

from bolt12_reader import (
    CHAINS, INVOICE, MOST, OFFER, REQUEST, REQUEST_RANGES, SIGNATURE, OFFER_RANGES, accepted_chains, check_signature,
    even, in_ranges, read_fields, read_offer, read_stream,
)
from refused import Refused

ALLOWED = set(b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_.")


def read_request(data):
    records = read_stream(data)
    if any(not in_ranges(kind, REQUEST_RANGES) and not 240 <= kind <= 1000 for kind, _, _ in records):
        raise Refused("type-out-of-range")
    request, offer, signature = read_fields(records, REQUEST, OFFER, SIGNATURE)
    if request["payerID"] is None:
        raise Refused("missing-payer-id")
    if request["metadata"] is None:
        raise Refused("missing-metadata")
    if even(request["features"]):
        raise Refused("unknown-required-feature")
    if offer["issuerID"] is None and offer["paths"] is None:
        if any(offer[name] is not None for name in ("chains", "features", "quantityMax")):
            raise Refused("field-without-offer")
        if request["amount"] is None:
            raise Refused("missing-amount")
    if request["bip353Name"] is not None:
        value = next(value for kind, value, _ in records if kind == 91)
        name = value[1 : 1 + value[0]] + value[2 + value[0] :]
        if set(name) - ALLOWED:
            raise Refused("invalid-bip353-name")
    return records, request, offer, signature["signature"]


def check_quantity(offer, quantity):
    most = offer["quantityMax"]
    if most is None:
        if quantity is not None:
            raise Refused("unexpected-quantity")
        return
    if quantity is None:
        raise Refused("missing-quantity")
    if quantity == 0:
        raise Refused("quantity-not-positive")
    if most and quantity > most:
        raise Refused("quantity-too-large")


def expected_amount(offer, quantity, rates):
    if offer["amount"] is None:
        return None
    one = offer["amount"]
    if offer["currency"] is not None:
        if offer["currency"] not in rates:
            raise Refused("unsupported-currency")
        one *= rates[offer["currency"]]
    amount = one * (1 if quantity is None else quantity)
    if amount > MOST:
        raise Refused("amount-overflow")
    return amount


def due(offer, chain, quantity, amount, rates):
    """What the invoice must ask for, where the request may name an amount."""
    check_quantity(offer, quantity)
    if chain not in accepted_chains(offer):
        raise Refused("unsupported-chain")
    expected = expected_amount(offer, quantity, rates)
    amount = expected if amount is None else amount
    if amount is None:
        raise Refused("missing-amount")
    if amount > MOST:
        raise Refused("amount-overflow")
    if expected is not None and amount < expected:
        raise Refused("amount-too-low")
    if expected is not None and amount > 5 * expected:
        raise Refused("amount-too-high")
    return amount


def signer(offer, arrival, path):
    paths = offer["paths"] or []
    if arrival == "path" and not paths:
        raise Refused("via-blinded-path")
    if arrival == "path" and path >= len(paths) or arrival == "direct" and paths:
        raise Refused("not-via-offer-path")
    if offer["issuerID"] is not None:
        return offer["issuerID"]
    return paths[path if arrival == "path" else 0]["hops"][-1]["blindedNodeID"]


def accept(data, offer_data, arrival, path, now, chains, rates):
    """What the invoice must ask for and who must sign it; arrival is path, direct or forwarder."""
    records, request, mirrored, signature = read_request(data)
    raw = b"".join(raw for kind, _, raw in records if in_ranges(kind, OFFER_RANGES))
    if raw != offer_data:
        raise Refused("offer-mismatch")
    offer = read_offer(offer_data)
    node = signer(offer, arrival, path)
    if offer["absoluteExpiry"] is not None and now > offer["absoluteExpiry"]:
        raise Refused("offer-expired")
    chain = request["chain"] or CHAINS["bitcoin"]
    if chain not in chains:
        raise Refused("unsupported-chain")
    amount = due(offer, chain, request["quantity"], request["amount"], rates)
    check_signature(records, "invoice_request", request["payerID"], signature)
    return {"amount": amount, "nodeID": node}


def read_invoice(data):
    records = read_stream(data)
    invoice, request, offer, signature = read_fields(records, INVOICE, REQUEST, OFFER, SIGNATURE)
    for name, rule in (
        ("amount", "missing-amount"), ("createdAt", "missing-created-at"),
        ("paymentHash", "missing-payment-hash"), ("nodeID", "missing-node-id"),
    ):
        if invoice[name] is None:
            raise Refused(rule)
    if even(invoice["features"], known=(16,)):
        raise Refused("unknown-required-feature")
    if not invoice["paths"]:
        raise Refused("missing-paths")
    if invoice["blindedPay"] is None:
        raise Refused("missing-blinded-pay")
    if len(invoice["blindedPay"]) != len(invoice["paths"]):
        raise Refused("blinded-pay-mismatch")
    usable = []
    for index, payinfo in enumerate(invoice["blindedPay"]):
        value = int(payinfo["features"] or "0", 16)
        if not any(value >> bit & 1 for bit in range(0, value.bit_length(), 2)):
            usable.append(index)
    if not usable:
        raise Refused("no-usable-path")
    return records, invoice, request, offer, signature["signature"], usable


def check_invoice(data, request_data, arrival, path, sent_to, now, chains):
    """The values of an invoice that answers the request; arrival is reply, path, direct or outside."""
    records, invoice, mirrored, offer, signature, usable = read_invoice(data)
    sent, request, asked, _ = read_request(request_data)
    if (mirrored["chain"] or CHAINS["bitcoin"]) not in chains:
        raise Refused("unsupported-chain")
    expiry = 7200 if invoice["relativeExpiry"] is None else invoice["relativeExpiry"]
    if now > invoice["createdAt"] + expiry:
        raise Refused("expired")
    same = [[raw for kind, _, raw in side if in_ranges(kind, REQUEST_RANGES)] for side in (records, sent)]
    if same[0] != same[1]:
        raise Refused("request-mismatch")
    if asked["issuerID"] is not None:
        if invoice["nodeID"] != asked["issuerID"]:
            raise Refused("node-is-not-issuer")
    elif asked["paths"] is not None:
        ends = [p["hops"][-1]["blindedNodeID"] for i, p in enumerate(asked["paths"]) if sent_to in (None, i)]
        if invoice["nodeID"] not in ends:
            raise Refused("node-is-not-path-end")
    check_signature(records, "invoice", invoice["nodeID"], signature)
    if request["amount"] is not None and request["amount"] != invoice["amount"]:
        raise Refused("amount-is-not-requested")
    answers = asked["issuerID"] is not None or asked["paths"] is not None
    if arrival != "outside":
        if request["paths"] is not None:
            if arrival != "path" or path >= len(request["paths"]):
                raise Refused("not-via-request-path")
        elif answers and arrival != "reply":
            raise Refused("not-via-reply-path")
        elif not answers and arrival != "direct":
            raise Refused("via-blinded-path")
    values = {name: invoice[name] for name in ("amount", "createdAt", "paymentHash", "nodeID")}
    values["expiresAt"] = invoice["createdAt"] + expiry
    values["usablePaths"] = [invoice["paths"][i]["introductionNode"] for i in usable]
    values["usableFallbacks"] = [f for f in invoice["fallbacks"] or [] if usable_fallback(f)]
    parts = set(invoice["features"] or [])
    values["parts"] = "several-required" if 16 in parts else "several-allowed" if 17 in parts else "one"
    return values


def usable_fallback(fallback):
    size = len(fallback["program"]) // 2
    return size in (20, 32) if fallback["version"] == 0 else fallback["version"] <= 16 and 2 <= size <= 40
