"""LUD-21."""

from lud18 import hexadecimal
from luds import Answer
from refused import Refused


def verify(body):
    answer = Answer(body)
    settled, pr = answer.bool("settled"), answer.text("pr")
    preimage = answer.text("preimage") if answer.has("preimage") else ""
    if preimage and not settled:
        raise Refused("preimage-before-settlement")
    if preimage and hexadecimal(preimage, 32) is None:
        raise Refused("malformed-preimage")
    return {"settled": settled, "preimage": preimage.lower() or None, "pr": pr}
