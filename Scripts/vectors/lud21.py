#!/usr/bin/env python3
"""Second implementation of LUD-21. Writes Vectors/lud-21/; --check compares."""

import json

from lud18 import hexadecimal
from luds import Answer, Refused, judged, member_rules
from vector_files import document, main

OWN = "Scripts/vectors/lud21.py"
PREIMAGE = bytes(range(32)).hex()
RULES = member_rules("settled", "preimage", "pr") | {
    "preimage-before-settlement": "A preimage of an invoice that is not settled.",
}


def verify(body):
    answer = Answer(body)
    settled, pr = answer.bool("settled"), answer.text("pr")
    preimage = answer.text("preimage") if answer.has("preimage") else ""
    if preimage and not settled:
        raise Refused("preimage-before-settlement")
    if preimage and hexadecimal(preimage, 32) is None:
        raise Refused("malformed-preimage")
    return {"settled": settled, "preimage": preimage.lower() or None, "pr": pr}


def answers():
    def answer(**members):
        return {"body": json.dumps({"status": "OK"} | members)}

    for name, members in [
        ("settled", {"settled": True, "preimage": PREIMAGE, "pr": "lnbc1"}),
        ("not settled", {"settled": False, "preimage": None, "pr": "lnbc1"}),
        ("not settled, without a preimage", {"settled": False, "pr": "lnbc1"}),
        ("not settled, an empty preimage", {"settled": False, "preimage": "", "pr": "lnbc1"}),
        ("settled, the preimage is kept", {"settled": True, "preimage": None, "pr": "lnbc1"}),
        ("a preimage in upper case", {"settled": True, "preimage": PREIMAGE.upper(), "pr": "lnbc1"}),
        ("unknown members", {"settled": False, "preimage": None, "pr": "lnbc1", "expired": True}),
    ]:
        yield name, answer(**members), None
    yield "without a status", {"body": '{"settled":false,"preimage":null,"pr":"lnbc1"}'}, None
    for name, members, rule in [
        ("settled is missing", {"pr": "lnbc1"}, "missing-settled"),
        ("settled as text", {"settled": "true", "pr": "lnbc1"}, "malformed-settled"),
        ("settled as number", {"settled": 1, "pr": "lnbc1"}, "malformed-settled"),
        ("no invoice", {"settled": False}, "missing-pr"),
        ("a preimage of 31 bytes", {"settled": True, "preimage": PREIMAGE[2:], "pr": "lnbc1"}, "malformed-preimage"),
        ("a preimage that is not hexadecimal", {"settled": True, "preimage": "x" * 64, "pr": "lnbc1"}, "malformed-preimage"),
        ("a preimage that is a number", {"settled": True, "preimage": 7, "pr": "lnbc1"}, "malformed-preimage"),
        ("a preimage before settlement", {"settled": False, "preimage": PREIMAGE, "pr": "lnbc1"}, "preimage-before-settlement"),
        ("an error", {"status": "ERROR", "reason": "Not found"}, "service-error"),
    ]:
        yield name, answer(**members), rule
    yield "an array", {"body": "[]"}, "not-an-object"


def files():
    return {
        "lud-21/verify.json": document(
            "LUD-21", "verify",
            "Read the `body` of an answer. Compare `settled`, `preimage` (lower case, or null) and `pr`.",
            OWN, judged(verify, answers()), RULES,
        ),
    }


if __name__ == "__main__":
    main(files())
