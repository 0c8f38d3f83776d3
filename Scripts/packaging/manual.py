"""Writes NAME.1 for each of the finished programs in a folder, from what they say of themselves.

manual.py PROGRAMS OUTPUT NAME…: the date is that of SOURCE_DATE_EPOCH.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import time

SERVICE_FILES = {
    "/etc/lightning-responder/responder.yaml": "The settings of the packaged service; other commands read it with --config.",
    "/var/lib/lightning-responder": "Its data folder: the ledger, keys and admin.token. Only its user may read it.",
}
CONFIG = "--config /etc/lightning-responder/responder.yaml"
EXAMPLES = {
    "lightning-responder": f"""  sudo -u lightning-responder lightning-responder account add alice {CONFIG}
  sudo -u lightning-responder lightning-responder backend check {CONFIG}
  sudo -u lightning-responder lightning-responder config proxy --caddy {CONFIG}""",
    "lightning-respond": f"  lightning-respond --notification message.json --account alice {CONFIG}",
}
FILES = {
    "lightning-responder": SERVICE_FILES,
    "lightning-respond": SERVICE_FILES,
    "lnurl": {"FILE": "Keys and tokens are in files of yours, named by options; it keeps none of its own."},
}
RESPOND_STATUS = "As for lightning-responder(1), and:"


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    # Long lists may be broken behind a comma.
    text = re.sub(r",(?=\w)", r",\\:", text)
    return "\\&" + text if text.startswith(".") else text


def body(text):
    """Paragraphs, and lines that are indented as they stand."""
    lines, literal, paragraph = [], False, True
    for line in text.splitlines():
        if line.startswith("  ") != literal:
            literal = not literal
            lines += [".PP"] * (not paragraph) + [".nf"] if literal else [".fi", ".PP"]
            paragraph = not literal
        if line.strip():
            lines.append(escaped(line.rstrip()))
            paragraph = False
        elif not paragraph:
            lines.append(".PP")
            paragraph = True
    if literal:
        lines.append(".fi")
    while lines and lines[-1] == ".PP":
        lines.pop()
    return lines


def divided(text):
    """A text by its headings in capitals; what comes before them has none."""
    parts = re.split(r"^([A-Z][A-Z ]+)$\n", text, flags=re.MULTILINE)
    named = {"EXIT CODES": "EXIT STATUS", "EXAMPLE": "EXAMPLES"}
    return parts[0], {named.get(name, name): part for name, part in zip(parts[1::2], parts[2::2])}


def item(term, meaning):
    return [".TP", f".B {escaped(term)}", *body(meaning)]


def argument(value):
    if value["kind"] == "positional":
        term = f"<{value['valueName']}>"
    else:
        term = ", ".join(("--" if name["kind"] == "long" else "-") + name["name"] for name in value["names"])
        if value["kind"] == "option":
            term += f" <{value['valueName']}>"
    meaning = value.get("abstract", "")
    if "defaultValue" in value and "(default" not in meaning:
        meaning += f" (default: {value['defaultValue']})"
    return item(term, meaning)


def commands(command, path, shared):
    """A part for each subcommand, without the settings, which all have in common."""
    for child in command.get("subcommands", []):
        name = f"{path} {child['commandName']}"
        if child["commandName"] != "help":
            yield f'.SS "{escaped(name)}"'
            yield from body(f"{child['abstract']}\n\n{child.get('discussion', '')}")
            for value in child.get("arguments", []):
                if value.get("shouldDisplay", True) and value.get("preferredName", {}).get("name") not in shared:
                    yield from argument(value)
            yield from commands(child, name, shared)


def page(programs, name):
    def output(*arguments):
        return subprocess.run([programs / name, *arguments], capture_output=True, text=True, check=True).stdout

    parts = {}
    if name == "lightning-respond":
        overview, usage = output("--help").split("\nUSAGE: ")
        abstract, _, text = overview.removeprefix("OVERVIEW: ").partition("\n")
        usage, _, options = usage.replace("lightning-responder respond", name).partition("\n")
        text, _, status = text.partition("Exits with ")
        for heading, values in divided(re.sub(r"^([A-Z]+):$", r"\1", options, flags=re.MULTILINE))[1].items():
            found = re.findall(r"^  (-\S.*)\n((?: {8}.*\n?)*)", values, flags=re.MULTILINE)
            parts[heading] = [line for term, meaning in found for line in item(term, re.sub(" +", " ", meaning).strip())]
        parts["EXIT STATUS"] = body(f"{RESPOND_STATUS}\n\nIt exits with {status}")
    else:
        command = json.loads(output("--experimental-dump-help"))["command"]
        abstract, usage = command["abstract"], f"{name} <command> [options]"
        text, headings = divided(command["discussion"])
        common = {"help", "version"}
        serve = next((child for child in command["subcommands"] if child["commandName"] == "serve"), None)
        settings = [value for value in (serve or {}).get("arguments", []) if value["preferredName"]["name"] not in common]
        shared = common | {value["preferredName"]["name"] for value in settings}
        parts["COMMANDS"] = list(commands(command, name, shared))
        if settings:
            parts["SETTINGS"] = body("All commands that use the data folder accept them.")
            parts["SETTINGS"] += [line for value in settings for line in argument(value)]
        parts |= {heading: body(part) for heading, part in headings.items()}
    parts["FILES"] = [line for term, meaning in FILES[name].items() for line in item(term, meaning)]
    if name in EXAMPLES:
        parts["EXAMPLES"] = body(EXAMPLES[name])
    others = [other for other in FILES if other != name]
    parts["SEE ALSO"] = [", ".join(f"\\fB{escaped(other)}\\fR(1)" for other in others)]

    date = time.strftime("%Y-%m-%d", time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"])))
    version = output("--version").strip().rpartition(" ")[2]
    lines = [f'.TH {name.upper()} 1 {date} "{name} {version}" "User Commands"', ".nh\n.ad l\n.SH NAME"]
    lines += [f"{escaped(name)} \\- {escaped(abstract.rstrip('.'))}", ".SH SYNOPSIS", escaped(usage), ".SH DESCRIPTION", *body(text or abstract)]
    for heading, part in parts.items():
        lines += [f'.SH "{heading}"', *part]
    return "\n".join(lines) + "\n"


def main():
    programs, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    for name in sys.argv[3:]:
        (folder / f"{name}.1").write_text(page(programs, name))


if __name__ == "__main__":
    main()
