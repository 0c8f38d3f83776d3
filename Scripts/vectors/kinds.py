"""What kind of rule a case tests, and which rules it breaks besides the one that is found first."""

# Formats and answers of this project: another implementation has its own.
OWN_FILES = ("responder/", "registration/replies")

# Rules that no document states: limits, and choices where a document leaves one.
POLICY = {
    "bolt-11/decode": {"amount-too-large"},
    "bolt-12/": {"too-long", "amount-overflow", "amount-too-high"},
    "http/answer": {"no-redirect", "preflight", "status-200", "content-type", "cross-origin-once", "allowed-methods", "not-cached"},
    "lud-01/": {"user-info", "fragment", "url-not-ascii", "several-at-signs", "invalid-domain"},
    "lud-06/": {"amount-too-large", "repeated-entry", "preimage-before-settlement"},
    "lud-12/": {"comment-too-long"},
    "lud-16/": {"name-too-long", "tag-too-long", "empty-tag", "dot-segment"},
    "lud-17/": {"user-info", "fragment", "url-not-ascii"},
    "lud-18/": {"too-long"},
    "lud-21/": {"preimage-before-settlement"},
    "lud-26/": {"amount-too-large"},
}

# Rules about input that no document describes, since nobody who follows one writes it.
ROBUSTNESS = {
    "lud-01/": {"empty", "unrecognized", "empty-host", "invalid-port", "not-utf8"},
    "lud-06/": {
        "metadata-not-json", "metadata-not-an-array", "malformed-entry", "content-not-text", "not-an-object", "missing-tag",
        "repeated-amount", "repeated-comment", "repeated-payerdata", "invalid-verify",
    },
    "lud-09/": {"action-not-an-object", "invalid-link"},
    "lud-10/": {"not-utf8"},
    "lud-16/": {"percent-encoding", "missing-at-sign", "several-at-signs", "empty-name", "invalid-domain"},
    "lud-17/": {"empty-host", "invalid-port"},
    "lud-18/": {"not-json", "not-an-object"},
    "lud-21/": {"not-an-object"},
    "lud-26/": {"body-not-an-object", "repeated-amount"},
}

# Accepted, although a strict reader may refuse it.
LENIENT = {
    "lud-06/pay-request": {"numbers as strings", "payer data without a word on mandatory"},
    "lud-21/verify": {"not settled, without a preimage", "not settled, an empty preimage", "without a status", "a preimage in upper case"},
    "lud-12/comment": None,
}


def kind(path, case):
    name = path.removesuffix(".json")
    if name.startswith(OWN_FILES):
        return "policy"
    rule = case.get("reject")
    if rule is None:
        lenient = LENIENT.get(name, set())
        return "policy" if lenient is None or case["name"] in lenient else "standard"
    if listed(POLICY, name, rule):
        return "policy"
    # Members of an answer of another type: a document says what they are, not what becomes of others.
    if listed(ROBUSTNESS, name, rule) or name.startswith("lud-") and rule.startswith("malformed-"):
        return "robustness"
    return "standard"


def listed(table, name, rule):
    return any(name.startswith(prefix) and rule in rules for prefix, rules in table.items())


def rules(path, case, known):
    """The rule of a case, or all of the file's rules that a text in bech32 breaks: which comes first is nobody's rule."""
    first = case["reject"]
    text = next((case["input"][name] for name in ("text", "lnurl", "invoice") if isinstance(case["input"].get(name), str)), None)
    # BOLT 12 joins its texts at + before anything else.
    if text is None or not path.startswith(("bech32/decode", "bolt-11/", "bolt-12/text", "lud-01/decode")) or "+" in text:
        return first
    human, separator, data = text.rpartition("1")
    broken = {
        "mixed-case": text.lower() != text and text.upper() != text,
        "missing-separator": not separator,
        "empty-human-readable-part": separator and not human,
        "wrong-prefix": path.startswith("bolt-12/") and separator and human.lower() != "lno",
        # Then there is no whole checksum that could match.
        "truncated": separator and len(data) < 6,
        "bad-checksum": separator and len(data) < 6,
        "invalid-character": any(not 33 <= ord(letter) <= 126 for letter in text)
        or separator and any(letter.lower() not in "qpzry9x8gf2tvdw0s3jn54khce6mua7l" for letter in data),
    }
    # Only faults of the text itself compete: what is found after decoding needs a text that can be decoded.
    if first not in broken:
        return first
    others = [rule for rule, holds in broken.items() if holds and rule != first and rule in known]
    return [first, *others] if others else first
