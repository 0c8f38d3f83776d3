#!/usr/bin/env python3
"""Second implementation of LUD-12's limit. Writes Vectors/lud-12/; --check compares."""

from luds import Refused, judged
from vector_files import document, main

OWN = "Scripts/vectors/lud12.py"
RULES = {
    "comment-too-long": "More characters than commentAllowed, or more than 40 bytes for each that is allowed. The standard"
    " does not say what a character is; what a reader sees as one (a grapheme cluster) counts as one.",
}
# Each is one character to its reader.
CHARACTERS = {
    "letters": "a",
    "letters of two bytes": "é",
    "letters with a mark of their own": "e\u0301",
    "emojis": "😀",
    "symbols": "⚡",
    "emojis with a skin tone": "👍🏽",
    "flags": "🇸🇻",
    "families": "👨\u200d👩\u200d👧\u200d👦",
    "the longest emojis, 35 bytes": "🧑🏿\u200d❤\ufe0f\u200d💋\u200d🧑🏾",
}


def fits(comment, commentAllowed):
    count, data = lengths.get(comment, len(comment)), comment.encode()
    if count > commentAllowed or len(data) > 40 * commentAllowed:
        raise Refused("comment-too-long")
    return {"scalars": len(comment), "bytes": len(data)}


# How many characters a reader sees, where that is not the number of scalars.
lengths = {}


def repeated(character, count):
    text = character * count
    lengths[text] = count
    return text


def comments():
    for name, character in CHARACTERS.items():
        yield f"255 {name}", {"comment": repeated(character, 255), "commentAllowed": 255}, None
        yield f"256 {name}", {"comment": repeated(character, 256), "commentAllowed": 255}, "comment-too-long"
    piled = "e" + "\u0301" * 100
    lengths[piled] = 1
    yield "nothing where nothing is allowed", {"comment": "", "commentAllowed": 0}, None
    yield "a letter where nothing is allowed", {"comment": "a", "commentAllowed": 0}, "comment-too-long"
    yield "a hundred marks on one letter", {"comment": piled, "commentAllowed": 1}, "comment-too-long"
    yield "a hundred marks on one letter, where there is room", {"comment": piled, "commentAllowed": 6}, None
    yield "white space counts", {"comment": "a  ", "commentAllowed": 2}, "comment-too-long"


def files():
    return {
        "lud-12/comment.json": document(
            "LUD-12", "comment",
            "Tell whether `comment`, already decoded, fits where `commentAllowed` characters are allowed. Compare `scalars`"
            " and `bytes`, the numbers of its Unicode scalars and of its bytes in UTF-8.",
            OWN, judged(fits, comments()), RULES,
        ),
    }


if __name__ == "__main__":
    main(files())
