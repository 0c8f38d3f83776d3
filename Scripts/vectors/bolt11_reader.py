"""Reads BOLT 11 invoices: all values, or the name of the rule that an invoice breaks."""

import hashlib

import secp256k1
from bech32 import decode as unbech32, to_bytes
from refused import Refused, refusing


def number_groups(value, count=None):
    """A number in so many groups, or in as few as hold it."""
    groups = []
    while value or (count is not None and len(groups) < count):
        groups.insert(0, value & 31)
        value >>= 5
    return groups


def number(groups):
    value = 0
    for group in groups:
        value = value << 5 | group
    return value


NETWORKS = {"lnbc": "bitcoin", "lntb": "testnet", "lntbs": "signet", "lnbcrt": "regtest"}
MULTIPLIERS = {"": 10**11, "m": 10**8, "u": 10**5, "n": 100}
P, R, NINE, X, F, D, S, N, H, C, M = 1, 3, 5, 6, 9, 13, 16, 19, 23, 24, 27
KNOWN_FEATURES = {8, 14, 16, 24, 36, 48}
DEPENDENCIES = {16: 14}


def whole_bytes(groups):
    with refusing("field-padding"):
        return to_bytes(groups)


def minimal_number(groups):
    if groups and groups[0] == 0:
        raise Refused("field-not-minimal")
    if number(groups) >= 2**64:
        raise Refused("field-out-of-range")
    return number(groups)


def read_amount(text):
    if not text:
        return None
    digits = ""
    while text and text[0] in "0123456789":
        digits, text = digits + text[0], text[1:]
    if len(text) > 1:
        raise Refused("amount-not-decimal")
    if digits == "0":
        raise Refused("amount-not-positive")
    if digits[0] == "0":
        raise Refused("amount-leading-zero")
    if text == "p":
        if digits[-1] != "0":
            raise Refused("amount-below-millisatoshi")
        msat = int(digits) // 10
    elif text in MULTIPLIERS:
        msat = int(digits) * MULTIPLIERS[text]
    else:
        raise Refused("unknown-multiplier")
    if msat > 21 * 10**17:
        raise Refused("amount-too-large")
    return msat


def read_field(tag, groups, invoice):
    """Puts a field that is not skipped into the invoice, unless one of its kind is there already."""
    if tag in (P, S, H) and len(groups) != 52 or tag == N and len(groups) != 53:
        return
    if tag == P:
        invoice.setdefault("paymentHash", whole_bytes(groups).hex())
    elif tag == S:
        invoice.setdefault("paymentSecret", whole_bytes(groups).hex())
    elif tag == H:
        invoice.setdefault("descriptionHash", whole_bytes(groups).hex())
    elif tag == M:
        invoice.setdefault("paymentMetadata", whole_bytes(groups).hex())
    elif tag == D:
        data = whole_bytes(groups)
        with refusing("description-not-utf8", UnicodeDecodeError):
            invoice.setdefault("description", data.decode("utf-8"))
    elif tag == N:
        key = whole_bytes(groups)
        if secp256k1.parse(key) is None:
            raise Refused("invalid-payee")
        invoice.setdefault("payee", key.hex())
    elif tag == X:
        invoice.setdefault("expiry", minimal_number(groups))
    elif tag == C:
        invoice.setdefault("minFinalCLTVExpiryDelta", minimal_number(groups))
    elif tag == NINE:
        if groups and groups[0] == 0:
            raise Refused("field-not-minimal")
        bits = number(groups)
        invoice.setdefault("features", [bit for bit in range(bits.bit_length()) if bits >> bit & 1])
    elif tag == F:
        read_fallback(groups, invoice)
    elif tag == R:
        read_route(groups, invoice)


def read_fallback(groups, invoice):
    if not groups:
        raise Refused("invalid-fallback-address")
    version = groups[0]
    if version > 18:
        return
    data = whole_bytes(groups[1:])
    allowed = [20] if version in (17, 18) else [20, 32] if version == 0 else range(2, 41)
    if len(data) not in allowed:
        raise Refused("invalid-fallback-address")
    invoice["fallbackAddresses"].append({"version": version, "program": data.hex()})


def read_route(groups, invoice):
    data = whole_bytes(groups)
    if not data or len(data) % 51:
        raise Refused("invalid-route-hint")
    hops = []
    for start in range(0, len(data), 51):
        hop = data[start : start + 51]
        if secp256k1.parse(hop[:33]) is None:
            raise Refused("invalid-route-hint")
        hops.append({
            "nodeID": hop[:33].hex(),
            "shortChannelID": int.from_bytes(hop[33:41], "big"),
            "feeBase": int.from_bytes(hop[41:45], "big"),
            "feeProportionalMillionths": int.from_bytes(hop[45:49], "big"),
            "cltvExpiryDelta": int.from_bytes(hop[49:51], "big"),
        })
    invoice["routeHints"].append(hops)


def check_contents(invoice):
    for rule, key in (("missing-payment-hash", "paymentHash"), ("missing-payment-secret", "paymentSecret")):
        if key not in invoice:
            raise Refused(rule)
    if "description" not in invoice and "descriptionHash" not in invoice:
        raise Refused("missing-description")
    if "description" in invoice and "descriptionHash" in invoice:
        raise Refused("description-and-description-hash")
    bits = invoice["features"]
    for bit in bits:
        if bit % 2 == 0 and bit not in KNOWN_FEATURES:
            raise Refused("unknown-required-feature")
    for feature, needed in DEPENDENCIES.items():
        if {feature, feature + 1} & set(bits) and not {needed, needed + 1} & set(bits):
            raise Refused("missing-feature-dependency")


def signing_hash(hrp, groups):
    bits = "".join(f"{g:05b}" for g in groups)
    bits += "0" * (-len(bits) % 8)
    return hashlib.sha256(hrp.encode() + int("1" + bits, 2).to_bytes(len(bits) // 8 + 1, "big")[1:]).digest()


VALUES = (
    "network", "amount", "timestamp", "payee", "payeeIsStated", "paymentHash", "paymentSecret", "description",
    "descriptionHash", "paymentMetadata", "expiry", "expiresAt", "minFinalCLTVExpiryDelta", "fallbackAddresses",
    "routeHints", "features", "signature", "recoveryID",
)


def read(invoice):
    """All values of a correct invoice; raises Refused."""
    hrp, groups = unbech32(invoice, "bech32")
    if len(groups) < 7 + 104:
        raise Refused("too-short")
    first_digit = next((i for i, c in enumerate(hrp) if c.isdigit()), len(hrp))
    prefix = hrp[:first_digit]
    if prefix not in NETWORKS:
        raise Refused("unknown-prefix")
    found = {
        "network": NETWORKS[prefix], "amount": read_amount(hrp[first_digit:]),
        "timestamp": number(groups[:7]), "fallbackAddresses": [], "routeHints": [],
    }
    rest = groups[7:-104]
    while rest:
        if len(rest) < 3 or len(rest) < 3 + number(rest[1:3]):
            raise Refused("field-truncated")
        length = number(rest[1:3])
        read_field(rest[0], rest[3 : 3 + length], found)
        rest = rest[3 + length :]
    found.setdefault("features", [])
    check_contents(found)
    found.setdefault("expiry", 3600)
    found.setdefault("minFinalCLTVExpiryDelta", 18)
    found["expiresAt"] = min(found["timestamp"] + found["expiry"], 2**64 - 1)
    read_signature(hrp, groups, found)
    return {key: found.get(key) for key in VALUES}


def read_signature(hrp, groups, invoice):
    data = whole_bytes(groups[-104:])
    signature, recovery = data[:64], data[64]
    if recovery > 3:
        raise Refused("invalid-recovery-id")
    digest = signing_hash(hrp, groups[:-104])
    invoice["payeeIsStated"] = "payee" in invoice
    if invoice["payeeIsStated"]:
        if int.from_bytes(signature[32:], "big") > secp256k1.N // 2:
            raise Refused("high-s")
        if not secp256k1.ecdsa_verify(bytes.fromhex(invoice["payee"]), signature, digest):
            raise Refused("invalid-signature")
    else:
        key = secp256k1.ecdsa_recover(signature, recovery, digest)
        if key is None:
            raise Refused("invalid-signature")
        invoice["payee"] = key.hex()
    invoice["signature"], invoice["recoveryID"] = signature.hex(), recovery
