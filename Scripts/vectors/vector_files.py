"""Writes the files of Vectors/, or with --check compares them with what would be written."""

import json
import pathlib
import sys

import kinds

ROOT = pathlib.Path(__file__).resolve().parents[2] / "Vectors"


class Refused(Exception):
    """Carries the name of the rule."""


def outcome(case, compute):
    """The case with what comes of it, or with the rule that refuses it."""
    try:
        return case | {"expect": compute()}
    except Refused as rule:
        return case | {"reject": str(rule)}


def case(name, given, compute, rule=None, source=None):
    """A case that is refused by this rule, or by none."""
    made = outcome({"name": name} | ({"source": source} if source else {}) | {"input": given}, compute)
    assert made.get("reject") == rule, (name, made.get("reject"), rule)
    return made


def rendered(document):
    """A file's text: one line for each case, so that a change of one shows as one line."""
    lines = []
    for key, value in document.items():
        if key == "cases":
            cases = ",\n".join("    " + json.dumps(case, ensure_ascii=False) for case in value)
            lines.append(f'  "cases": [\n{cases}\n  ]')
        elif key == "rules" and value:
            rules = ",\n".join(
                f"    {json.dumps(name)}: {json.dumps(text, ensure_ascii=False)}" for name, text in value.items()
            )
            lines.append(f'  "rules": {{\n{rules}\n  }}')
        else:
            lines.append(f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def document(standard, subject, description, source, cases, rules):
    """A file of the schema in Vectors/README.md; only the rules that reject a case are kept."""
    used = {case["reject"] for case in cases if "reject" in case}
    return {
        "standard": standard,
        "subject": subject,
        "description": description,
        "source": source,
        "cases": cases,
        "rules": {name: text for name, text in rules.items() if name in used},
    }


def described(path, case, rules):
    """A case with its kind, and with every rule that fits."""
    made = {"name": case["name"], "kind": kinds.kind(path, case), **case}
    if "reject" in made:
        made["reject"] = kinds.rules(path, case, rules)
    return made


def main(files):
    """Writes {path below Vectors/: document}; with --check exits 1 when a file differs."""
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit(f"usage: {sys.argv[0]} [--check]")
    different = []
    for path, content in files.items():
        target = ROOT / path
        text = rendered({**content, "cases": [described(path, case, content["rules"]) for case in content["cases"]]})
        if check:
            if not target.is_file() or target.read_text(encoding="utf-8") != text:
                different.append(path)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
    if different:
        sys.exit("not what the second implementation gives: " + ", ".join(different))
