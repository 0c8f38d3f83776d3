"""The table: what was promised, what was seen, what it stands beside."""

import statistics


def row(name, budget, figure, floor, ratio, met):
    return {"name": name, "budget": budget, "figure": figure, "floor": floor, "ratio": ratio, "met": met}


def ratio_of_rounds(over, under):
    """The median of what each round's pair says: both halves of a pair met the same moment of the machine."""
    return statistics.median(a / b for a, b in zip(over, under))


def verdict(met):
    return {True: "met", False: "MISSED", None: ""}[met]


def table(rows):
    """Columns as wide as what stands in them."""
    lines = [("what", "budget", "figure", "floor", "ratio", "verdict")]
    for each in rows:
        ratio = "" if each["ratio"] is None else f"{each['ratio']:.2f}"
        lines.append((each["name"], each["budget"], each["figure"], each["floor"], ratio, verdict(each["met"])))
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    lines.insert(1, tuple("-" * width for width in widths))
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines)
