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

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(SCRIPTS / "vectors"))

import bech32  # noqa: E402
import secp256k1  # noqa: E402
import tlv  # noqa: E402
from bolt12 import signed  # noqa: E402
from live.nodes import RPCError  # noqa: E402
from refused import Refused  # noqa: E402

# What we refuse and the node does not, by our reason.
STRICTER = {
    r"is not an address, an LNURL": "an amount with a leading zero, or of zero (BOLT 11: a positive decimal integer with no leading 0s)",
    r"begins with zeros|last bits of field": "a number longer than it need be, or bits of padding (BOLT 11: the minimal data_length)",
    r"both a description and a description hash": "exactly one of d and h (BOLT 11)",
    r"its feature \d+ needs feature": "features that others depend on (BOLT 9)",
    r"description is not UTF-8": "UTF-8 of every field of its kind, also of a later duplicate",
    r"it is too short": "an array of chains, paths or fallbacks that is there and empty (BOLT 12: one or more paths; a choice for the others)",
    r"it is too long|no valid introduction node": "a number of more than 8 bytes, and a node that is neither a point nor a channel (BOLT 1, 12)",
    r"all its paths have an unknown feature": "an invoice without a usable path cannot be paid",
    r"has a meaning only with an offer|neither it nor the offer has an amount": "requests without an offer (BOLT 12, invoice_request)",
    r"^offer: ": "what must hold between a request and its offer, which the node checks only when it answers",
}
# What the node refuses and we do not, by its reason.
MILDER = {
    r"unknown feature bit 36": "BOLT 9 gives bit 36 to invoices",
    r"Invalid sub-millisatoshi amount|x: integer too large": "numbers above those of the node, saturated or within 64 bits here",
    r"f: witness v1 bad length": "a witness program may have 2 to 40 bytes (BIP-141)",
    r"invalid (offer|invreq|invoice) data|d: invalid utf8": "U+0000 is UTF-8",
    r"^nested$": "fallbacks that must be ignored (BOLT 12) are listed as not usable here",
    r"warning_missing_(invreq_metadata|offer_description)": "seen only beside the offer or the request, which `--for` gives",
}


def differences(node, binaries, count, seed=0):
    """How many texts the two judge differently without a rule above that says why; how many each rule explains is printed."""
    texts = list(mutated(random.Random(seed), count))
    lnurl = pathlib.Path(binaries) / "lnurl"
    unexplained = agreed = accepted = ended = 0
    explained = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
        for text, ours in zip(texts, workers.map(lambda text: decoded(lnurl, text), texts)):
            theirs = judged(node, text)
            if ours == theirs == "" or ours and theirs:
                agreed += 1
                accepted += ours == ""
            elif theirs is None:
                ended += 1
            else:
                known, reason = (STRICTER, ours) if ours else (MILDER, theirs)
                side = "refused" if ours else "accepted"
                rule = next((rule for pattern, rule in known.items() if re.search(pattern, reason)), None)
                if rule is None:
                    unexplained += 1
                    print(f"decoded differently: {side} here, {reason}: {text}")
                else:
                    explained[f"{side} here only, {rule}"] += 1
    for rule, times in explained.most_common():
        print(f"{times} {rule}")
    print(f"{len(texts)} mutated texts decoded: {agreed} alike, {accepted} of these accepted; {explained.total()} differences with a rule, "
          f"{unexplained} without; {ended} ended the node")
    return unexplained


def decoded(lnurl, text):
    """Why `lnurl` refuses it; empty when it does not."""
    run = subprocess.run([lnurl, "decode", "-", "--json"], input=text, text=True, capture_output=True)
    answer = json.loads(run.stdout)
    if run.returncode == 0:
        return ""
    failed = [f"{check['name']}: {check['detail']}" for check in answer.get("checks", []) if check["verdict"] == "failed"]
    return (failed or [answer.get("fault", {}).get("message", f"status {run.returncode}")])[0]


def judged(node, text):
    """Why the node refuses it; empty when it does not, and None when it gave no verdict: some texts end it."""
    try:
        answer = node("decode", string=text)
    except RPCError as error:
        return str(error)
    except (OSError, ValueError):
        answer = None
    if answer is None or node.process.poll() is not None:
        node.kill()
        node.start()
        return None
    # A text whose letters are base64url too may be read as a rune.
    if answer["type"] == "rune":
        return "a rune"
    return "" if answer["valid"] else next((key for key in answer if key.startswith("warning")), "nested")


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
    records = dict(tlv.parse(bech32.to_bytes(bech32.decode(text, "none")[1])))
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
