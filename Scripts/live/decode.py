"""Mutated invoices, offers and requests, decoded by `lnurl` and by a live node: each difference is explained by a rule here."""

import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import time

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(SCRIPTS / "vectors"))

import bech32  # noqa: E402
import secp256k1  # noqa: E402
import tlv  # noqa: E402
from bolt12 import signed  # noqa: E402
from bolt12_reader import CHAINS, MOST  # noqa: E402
from live.nodes import RPCError  # noqa: E402
from refused import Refused  # noqa: E402

BITCOIN = CHAINS["bitcoin"]


class Rule:
    """Why one side may refuse what the other accepts: its reason, and what must then be true of the text or of what the other reads."""

    def __init__(self, reason, why, holds):
        self.reason, self.why, self.holds = re.compile(reason), why, holds

    def explains(self, reason, text, answer):
        match = self.reason.search(reason)
        try:
            return match and self.holds(match, text, answer)
        except (LookupError, TypeError, Refused):
            # What the reason is about is not there.
            return False


# What we say about a request and its offer, and how the node's answer shows it.
TERMS = {
    r"it requires the unknown feature (\d+)": lambda match, theirs: int(match[1]) in bits(theirs["offer_features"]),
    r"its amount is zero": lambda _, theirs: 0 in (theirs.get("offer_amount"), theirs.get("offer_amount_msat")),
    r"it has a currency, but no amount": lambda _, theirs: "offer_currency" in theirs and "offer_amount" not in theirs,
    r"the offer has expired": lambda _, theirs: theirs["offer_absolute_expiry"] < time.time(),
    r"it has no quantity, which": lambda _, theirs: "invreq_quantity" not in theirs and "offer_quantity_max" in theirs,
    r"its quantity is zero": lambda _, theirs: theirs["invreq_quantity"] == 0,
    r"its quantity is above": lambda _, theirs: theirs["invreq_quantity"] > theirs["offer_quantity_max"] > 0,
    r"it has a quantity, which": lambda _, theirs: "invreq_quantity" in theirs and "offer_quantity_max" not in theirs,
    r"the amount exceeds 21 million bitcoin": lambda _, theirs: max(price(theirs), theirs.get("invreq_amount_msat", 0)) > MOST,
    r"its amount is below the price": lambda _, theirs: theirs["invreq_amount_msat"] < price(theirs),
    r"neither it nor the offer has an amount": lambda _, theirs: not {"invreq_amount_msat", "offer_amount_msat", "offer_amount"} & theirs.keys(),
    r"its chain is unknown, or": lambda _, theirs: theirs.get("invreq_chain", BITCOIN) not in theirs.get("offer_chains", [BITCOIN]),
}
# What we refuse and the node does not.
STRICTER = (
    Rule(r"This is not an address, an LNURL", "an amount with a leading zero, or of zero (BOLT 11: a positive decimal integer with no leading 0s)",
         lambda _, text, theirs: re.match("ln(bc|bcrt|tb|tbs)0", text)),
    Rule(r"BOLT11 invoice: field ([xc9]) begins with zeros", "a number longer than it need be (BOLT 11: the minimal data_length)",
         lambda match, text, _: any(groups[0] == 0 for groups in fields(text, match[1]) if groups)),
    Rule(r"BOLT11 invoice: the last bits of field (\w) are not zero", "padding of zeros in every field of its kind, also of a later duplicate",
         lambda match, text, _: not all(map(is_padded, fields(text, match[1])[1:]))),
    Rule(r"BOLT11 invoice: it has both a description and a description hash", "exactly one of d and h (BOLT 11)",
         lambda _, text, theirs: {"description", "description_hash"} <= theirs.keys()),
    Rule(r"BOLT11 invoice: its feature 16 needs feature 14", "features that others depend on (BOLT 9)",
         lambda _, text, theirs: {16, 17} & bits(theirs["features"]) and not {14, 15} & bits(theirs["features"])),
    Rule(r"BOLT11 invoice: its description is not UTF-8", "UTF-8 of every field of its kind, also of a later duplicate",
         lambda _, text, theirs: not all(map(is_utf8, fields(text, "d")[1:]))),
    Rule(r"record (2|16|90|172) \(\w+\): it is too short",
         "an array of chains, paths or fallbacks that is there and empty (BOLT 12: one or more paths; a choice for the others)",
         lambda match, text, _: parsed(text)[int(match[1])] == b""),
    Rule(r"invoice: all its paths have an unknown feature", "an invoice without a usable path cannot be paid (BOLT 12)",
         lambda _, text, theirs: all(any(bit % 2 == 0 for bit in bits(path["payinfo"]["features"])) for path in theirs["invoice_paths"])),
    Rule(r"\((offer_(chains|features|quantity_max))\) has a meaning only with an offer", "requests without an offer (BOLT 12, invoice_request)",
         lambda match, text, theirs: "offer_id" not in theirs and match[1] in theirs),
    Rule(r"BOLT12 invoice request: neither it nor the offer has an amount", "requests without an offer (BOLT 12, invoice_request)",
         lambda _, text, theirs: "offer_id" not in theirs and "invreq_amount_msat" not in theirs),
    *(Rule(f"^offer: {reason}", "what must hold between a request and its offer, which the node checks only when it answers",
           lambda match, text, theirs, holds=holds: "offer_id" in theirs and holds(match, theirs)) for reason, holds in TERMS.items()),
)
# What the node refuses and we do not.
MILDER = (
    Rule(r"unknown feature bit 36", "BOLT 9 gives bit 36 to invoices", lambda _, text, ours: 36 in ours["features"]),
    Rule(r"Invalid sub-millisatoshi amount", "the node has no amount of 2^64 tenths of a millisatoshi",
         lambda _, text, ours: ours["amount"] * 10 >= 2**64),
    Rule(r"x: integer too large", "numbers of 64 bits in 13 groups of five bits", lambda _, text, ours: ours["expiry"] >= 2**60),
    Rule(r"f: witness v1 bad length", "a witness program may have 2 to 40 bytes (BIP-141)",
         lambda _, text, ours: any(each["kind"].endswith("version 1") and len(each["bytes"]) != 64 for each in ours["fallbackAddresses"])),
    Rule(r"invalid (offer|invreq|invoice) data|d: invalid utf8", "U+0000 is UTF-8", lambda _, text, ours: "\\u0000" in json.dumps(ours)),
    Rule(r"warning_invalid_invoice_fallbacks", "fallbacks that must be ignored (BOLT 12) are listed as not usable here",
         lambda _, text, ours: not all(fallback["usable"] for fallback in ours["fallbacks"])),
    Rule(r"warning_missing_invreq_metadata", "seen only beside the request, which `--for` gives",
         lambda _, text, ours: ours["kind"] == "bolt12-invoice" and ours["request"]["metadata"] is None),
    Rule(r"warning_missing_offer_description", "seen only beside the offer, which `--for` gives",
         lambda _, text, ours: ours["kind"] == "bolt12-invoice" and ours["request"]["offer"]["description"] is None),
)


def differences(node, binaries, count, seed=0):
    """How many texts the two judge or read differently without a rule above that says why; how many each rule explains is printed."""
    lnurl = pathlib.Path(binaries) / "lnurl"
    unexplained = agreed = accepted = ended = 0
    explained = collections.Counter()
    texts = list(mutated(random.Random(seed), count))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
        for text, (ours, our_reasons) in zip(texts, workers.map(lambda text: decoded(lnurl, text), texts)):
            # Again after its start: what ends it once may not do so twice.
            judgment = judged(node, text) or judged(node, text)
            if judgment is None:
                ended += 1
                continue
            rules, faults = compared(text, ours, our_reasons, *judgment)
            unexplained += bool(faults)
            for fault in faults:
                print(f"decoded differently: {fault}: {text}")
            if not faults:
                explained.update(rules)
            if not rules and not faults:
                agreed += 1
                accepted += not our_reasons
    for rule, times in explained.most_common():
        print(f"{times} {rule}")
    print(f"{len(texts)} mutated texts decoded: {agreed} alike, {accepted} of these accepted; "
          f"{len(texts) - agreed - unexplained - ended} differences with a rule, {unexplained} without; {ended} ended the node")
    return unexplained


def compared(text, ours, our_reasons, theirs, their_reasons):
    """The rules that explain how the two differ, and the differences without one."""
    if our_reasons and their_reasons:
        return [], []
    if not our_reasons and not their_reasons:
        return [], [f"{name} is {mine!r} here, {other!r} there" for name, mine, other in values(ours, theirs) if mine != other]
    known, reasons, answer = (STRICTER, our_reasons, theirs) if our_reasons else (MILDER, their_reasons, ours)
    side = "refused" if our_reasons else "accepted"
    found = {reason: next((rule.why for rule in known if rule.explains(reason, text, answer)), None) for reason in reasons}
    return ([f"{side} here only, {why}" for why in set(found.values()) if why],
            [f"{side} here, {reason}" for reason, why in found.items() if not why])


def decoded(lnurl, text):
    """What `lnurl` reads, and why it refuses it: nothing when it does not."""
    run = subprocess.run([lnurl, "decode", "-", "--json"], input=text, text=True, capture_output=True)
    answer = json.loads(run.stdout)
    failed = [f"{check['name']}: {check['detail']}" for check in answer.get("checks", []) if check["verdict"] == "failed"]
    return answer, [] if run.returncode == 0 else failed or [answer.get("fault", {}).get("message", f"status {run.returncode}")]


def judged(node, text):
    """What the node reads, and why it refuses it: nothing when it does not. None when it gave no verdict: some texts end it."""
    try:
        answer = node("decode", string=text)
    except RPCError as error:
        return {}, [str(error)]
    except (OSError, ValueError):
        answer = None
    if answer is None or node.process.poll() is not None:
        node.kill()
        node.start()
        return None
    # A text whose letters are base64url too may be read as a rune.
    if answer["type"] == "rune":
        return answer, ["a rune"]
    parts = [answer, *answer.get("invoice_fallbacks", [])]
    warnings = [key for part in parts for key in part if key.startswith("warning") and key != "warning_unknown_offer_currency"]
    return answer, [] if answer["valid"] else warnings or ["invalid"]


# What both show, by the node's name and ours.
BOLT11 = {"created_at": "timestamp", "expiry": "expiry", "payee": "payee", "amount_msat": "amount", "description": "description",
          "description_hash": "descriptionHash", "min_final_cltv_expiry": "minFinalCLTVExpiryDelta", "payment_secret": "paymentSecret",
          "payment_metadata": "paymentMetadata", "payment_hash": "paymentHash"}
OFFER = {"offer_metadata": "metadata", "offer_currency": "currency", "offer_description": "description", "offer_issuer": "issuer",
         "offer_absolute_expiry": "absoluteExpiry", "offer_quantity_max": "quantityMax", "offer_issuer_id": "issuerID"}
REQUEST = {"invreq_metadata": "metadata", "invreq_amount_msat": "amount", "invreq_quantity": "quantity", "invreq_payer_id": "payerID",
           "invreq_payer_note": "payerNote"}
INVOICE = {"invoice_created_at": "createdAt", "invoice_relative_expiry": "relativeExpiry", "invoice_payment_hash": "paymentHash",
           "invoice_amount_msat": "amount", "invoice_node_id": "nodeID"}
NETWORKS = {"bc": "bitcoin", "tb": "testnet", "tbs": "signet", "bcrt": "regtest"}
CHAIN_NAMES = {hash: name for name, hash in CHAINS.items()}


def values(ours, theirs):
    """Each value that both show, as its name, ours and the node's."""
    def same(names, ours):
        return ((name, ours[member], theirs.get(name)) for name, member in names.items())

    def features(name, ours):
        return name, None if ours is None else set(ours), bits(theirs[name]) if name in theirs else None

    def paths(name, ours):
        return name, [our_path(path) for path in ours or []], [their_path(path) for path in theirs.get(name, [])]

    if ours["kind"] == "bolt11":
        yield from same(BOLT11, ours)
        yield features("features", ours["features"])
        yield "currency", ours["network"], NETWORKS[theirs["currency"]]
        yield "fallbacks", [script(each) for each in ours["fallbackAddresses"]], [each["hex"] for each in theirs.get("fallbacks", [])]
        yield "routes", *([[list(hop.values()) for hop in route] for route in routes] for routes in (ours["routeHints"], theirs.get("routes", [])))
        return
    request = ours["request"] if ours["kind"] == "bolt12-invoice" else ours
    offer = ours if ours["kind"] == "bolt12-offer" else request["offer"]
    yield from same(OFFER, offer)
    yield "offer_amount", offer["amount"], theirs.get("offer_amount", theirs.get("offer_amount_msat"))
    yield "offer_chains", offer["chains"], [chain(hash) for hash in theirs.get("offer_chains", [BITCOIN])]
    yield features("offer_features", offer["features"])
    yield paths("offer_paths", offer["paths"])
    unknown = next((records for name, records in theirs.items() if name.startswith("unknown")), [])
    yield "unknown", *([(each["type"], each["value"]) for each in records] for records in (ours["unknownRecords"], unknown))
    if ours["kind"] == "bolt12-offer":
        yield "offer_id", ours["id"], theirs["offer_id"]
        return
    name = theirs.get("invreq_bip_353_name")
    yield from same(REQUEST, request)
    yield "invreq_bip_353_name", request["bip353Name"], name and f"{name['name']}@{name['domain']}"
    yield "invreq_chain", request["chain"], chain(theirs.get("invreq_chain", BITCOIN))
    yield features("invreq_features", request["features"])
    yield paths("invreq_paths", request["paths"])
    yield "signature", ours["signature"], theirs["signature"]
    if ours["kind"] == "bolt12-invoice":
        yield from same(INVOICE, ours)
        yield features("invoice_features", ours["features"])
        yield paths("invoice_paths", ours["paths"])
        yield "invoice_fallbacks", *([(each["version"], each[hex]) for each in fallbacks] for fallbacks, hex in (
            (ours["fallbacks"], "program"), (theirs.get("invoice_fallbacks", []), "hex")))


def price(request):
    return request.get("offer_amount_msat", 0) * request.get("invreq_quantity", 1)


def bits(digits):
    """Those that are set."""
    return {bit for bit in range(4 * len(digits)) if int(digits, 16) >> bit & 1}


def chain(hash):
    return CHAIN_NAMES.get(hash, hash)


def script(address):
    """The output script of a fallback address."""
    hash = address["bytes"]
    match address["kind"]:
        case "public key hash": return f"76a914{hash}88ac"
        case "script hash": return f"a914{hash}87"
    version = int(address["kind"].split()[-1])
    return f"{version and version + 80:02x}{len(hash) // 2:02x}{hash}"


def our_path(path):
    node, costs = path["introductionNode"], path.get("payinfo")
    return [node["nodeID"], node["shortChannelID"], node["direction"], path["firstPathKey"], [list(hop.values()) for hop in path["hops"]],
            costs and [*list(costs.values())[:-1], set(costs["features"])]]


def their_path(path):
    costs = path.get("payinfo")
    return [path.get("first_node_id"), path.get("first_scid"), path.get("first_scid_dir"), path["first_path_key"],
            [list(hop.values()) for hop in path["path"]], costs and [*list(costs.values())[:-1], bits(costs["features"])]]


def fields(text, letter):
    """The data of the fields of a BOLT 11 invoice that have this letter."""
    groups = bech32.decode(text, "bech32")[1][7:-104]
    starts = [0, *ends(groups)]
    return [groups[start + 3:end] for start, end in zip(starts, starts[1:]) if bech32.ALPHABET[groups[start]] == letter]


def is_padded(groups):
    try:
        return bech32.to_bytes(groups) is not None
    except Refused:
        return False


def is_utf8(groups):
    try:
        return bech32.to_bytes(groups).decode() is not None
    except UnicodeDecodeError:
        return False


def parsed(text):
    """The records of a BOLT 12 text, by type."""
    return dict(tlv.parse(bech32.to_bytes(bech32.decode(text, "none")[1])))


def mutated(chance, count):
    seeds = {"ln": [], "lno": [], "lnr": [], "lni": []}
    for path in sorted((SCRIPTS.parent / "Vectors").glob("bolt-1[12]/*.json")):
        for text in sorted(set(re.findall(r'"(ln(?:bc|tb|bcrt|tbs)[0-9a-z]*1[a-z0-9]{150,}|ln[ori]1[a-z0-9]+)"', path.read_text()))):
            seeds[text[:3] if text[:4] in ("lno1", "lnr1", "lni1") else "ln"].append(text)
    made = 0
    while made < count:
        kind = ("ln", "lno", "lnr", "lni")[made % 4]
        try:
            text = chance.choice(seeds[kind])
            yield bolt11(chance, *bech32.decode(text, "bech32")) if kind == "ln" else bolt12(chance, kind, text)
            made += 1
        except (Refused, IndexError, ValueError):
            continue


def bolt11(chance, prefix, groups):
    """With another amount, or with fields changed, added, repeated or left out; the signature yields some other key."""
    if len(groups) < 112:
        raise ValueError
    if chance.randrange(6) == 0:
        amounts = ("", "1", "0", "01", "25m", "2500u", "1p", "10p", "999p", "21000000", "1x", "m", "18446744073709551615", "007n")
        prefix = chance.choice(("lnbc", "lntb", "lnbcrt", "lntbs", "lnxx")) + chance.choice(amounts)
        return bech32.encode(prefix, groups, "bech32")
    time, fields, signature = groups[:7], groups[7:-104], groups[-104:]
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        at = chance.choice([0, *ends(fields)])
        length = chance.choice((0, 1, 2, 5, 51, 52, 53, 54, 10, chance.randrange(60)))
        field = [chance.randrange(32), length >> 5, length & 31] + [chance.choice((0, chance.randrange(32))) for _ in range(length)]
        index = chance.randrange(len(fields))
        match chance.randrange(6):
            case 0: fields[index] = chance.randrange(32)
            case 1: del fields[index]
            case 2: fields.insert(index, chance.randrange(32))
            case 3 | 4: fields[at:at] = field
            case _: fields[at:at] = fields[: chance.choice(ends(fields))]
    return bech32.encode(prefix, time + fields + signature, "bech32")


def ends(fields):
    """Where each field ends."""
    found, position = [], 0
    while position + 3 <= len(fields):
        position += 3 + fields[position + 1] * 32 + fields[position + 2]
        if position <= len(fields):
            found.append(position)
    return found


TYPES = (0, 1, 2, 3, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 79, 80, 82, 84, 86, 88, 89, 91, 159, 160, 162, 164, 166, 168, 170, 172, 174, 176,
         239, 240, 241, 1000, 1001, 1_000_000_001, 1_999_999_999, 2_000_000_001, 2_999_999_999, 3_000_000_001)
VALUES = (b"", b"\0", b"\1", b"\xff" * 8, b"\xff" * 9, b"\xc3\x28", b"aaaaa")
SIGNED = {"lnr": (88, b"\x42" * 32, "invoice_request"), "lni": (176, b"\x41" * 32, "invoice")}


def bolt12(chance, kind, text):
    """With records changed, added or left out, and mostly signed again."""
    records = parsed(text)
    for _ in range(chance.choice((1, 1, 2, 3))):
        type = chance.choice(sorted(records))
        value = records[type]
        index = chance.randrange(len(value) + 1)
        match chance.randrange(7):
            case 0: del records[type]
            case 1: records[chance.choice(TYPES)] = records.pop(type)
            case 2: records[type] = value[:-1]
            case 3: records[type] = value + chance.randbytes(1)
            case 4: records[type] = value[:index] + chance.randbytes(1) + value[index + 1:]
            case 5: records[chance.choice(TYPES)] = chance.choice((*VALUES, chance.randbytes(chance.choice((1, 2, 4, 8, 32, 33)))))
            case _: records[type] = chance.choice(VALUES)
    if kind in SIGNED and chance.randrange(4):
        type, key, name = SIGNED[kind]
        records[type] = secp256k1.public(key)
        records.pop(240, None)
        stream = signed(records, name, key)
    else:
        stream = tlv.stream(*sorted(records.items()))
    return bech32.encode(kind, bech32.to_groups(stream), "none")
