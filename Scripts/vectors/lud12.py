"""LUD-12's limit."""

import re

from refused import Refused

# What a reader sees as one character, where that is more than one scalar: of these texts, all that there is.
CHARACTER = re.compile("|".join([
    "e\u0301+", "👍🏽", "🇸🇻", "👨\u200d👩\u200d👧\u200d👦", "🧑🏿\u200d❤\ufe0f\u200d💋\u200d🧑🏾", ".",
]))


def fits(comment, commentAllowed):
    count, data = len(CHARACTER.findall(comment)), comment.encode()
    if count > commentAllowed or len(data) > 40 * commentAllowed:
        raise Refused("comment-too-long")
    return {"scalars": len(comment), "bytes": len(data)}
