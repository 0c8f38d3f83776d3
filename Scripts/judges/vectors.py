"""jsonschema, bolt11 and lnurl: the form of the vectors, and what other implementations make of them."""

import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import jsonschema

ROOT = pathlib.Path(__file__).parents[2]
RUNNERS = ROOT / "Scripts" / "implementations"

# A file that follows the schema, and changes after which it does not.
FILE = {
    "standard": "S", "subject": "a-b", "description": "D", "source": "S", "rules": {"no-good": "R"},
    "cases": [{"name": "one", "kind": "standard", "input": {"a": 1}, "expect": {"b": None}}, {"name": "two", "kind": "policy", "input": {}, "reject": "no-good"}],
}
FAULTS = {
    "no source": lambda file: file.pop("source"),
    "an empty description": lambda file: file.update(description=""),
    "an unknown member": lambda file: file.update(comment="x"),
    "a subject in capital letters": lambda file: file.update(subject="A-B"),
    "no cases": lambda file: file.update(cases=[]),
    "rules as a list": lambda file: file.update(rules=["no-good"]),
    "a rule without words": lambda file: file["rules"].update({"no-good": ""}),
    "a rule with a space": lambda file: file["rules"].update({"no good": "R"}),
    "a case without a name": lambda file: file["cases"][0].pop("name"),
    "a case without input": lambda file: file["cases"][0].pop("input"),
    "an unknown member of a case": lambda file: file["cases"][0].update(note="x"),
    "input that is no object": lambda file: file["cases"][0].update(input=[1]),
    "neither expect nor reject": lambda file: file["cases"][0].pop("expect"),
    "both expect and reject": lambda file: file["cases"][0].update(reject="no-good"),
    "a rejection that names no rule": lambda file: file["cases"][1].update(reject=True),
    "an unknown kind": lambda file: file["cases"][0].update(kind="strict"),
    "a case without a kind": lambda file: file["cases"][0].pop("kind"),
    "a list of one rule": lambda file: file["cases"][1].update(reject=["no-good"]),
    "a fraction": lambda file: file["cases"][0].update(expect={"b": 1.5}),
    "2^64": lambda file: file["cases"][0].update(expect={"b": 2**64}),
    "less than -2^63, deeper": lambda file: file["cases"][0].update(input={"a": [{"b": -(2**63) - 1}]}),
}


def judge(service, comparison):
    schema = json.loads((ROOT / "Vectors" / "schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    comparison.holds("the schema accepts a right file", validator.is_valid(FILE))
    accepted = [name for name, spoil in FAULTS.items() if validator.is_valid(spoiled(spoil))]
    comparison.holds(f"the schema refuses {len(FAULTS)} wrong files{''.join('; not ' + name for name in accepted)}", not accepted)
    archives = [archive(0o022, "UTC", "C"), archive(0o077, "Asia/Kathmandu", "C.UTF-8")]
    comparison.holds(f"the archive has the same {len(archives[0])} bytes twice, with another umask and time zone", archives[0] == archives[1])
    files = sorted((ROOT / "Vectors").glob("*/*.json"))
    faults = [f"{file.parent.name}/{file.name}: {fault.message:.200}" for file in files for fault in
              validator.iter_errors(json.loads(file.read_text()))]
    comparison.holds(f"{len(files)} files follow Vectors/schema.json{''.join('; ' + fault for fault in faults)}", not faults)
    for name in ("bolt11", "lnurl"):
        report = service.lnurl(
            "vectors", "run", "--vectors", str(ROOT / "Vectors"), "--implementation", f"{sys.executable} -B {RUNNERS}/run_{name}.py",
            "--known-failures", str(RUNNERS / f"{name}.json"), status=None)
        for remark in (remark for file in report["files"] for remark in file["remarks"] if remark.startswith("failed")):
            print(f"  {remark}")
        comparison.holds(
            f"the package {name}: {report['passed']} vectors pass, {report['known']} fail as is known, {report['failed']} otherwise",
            report["ok"])


def spoiled(spoil):
    file = copy.deepcopy(FILE)
    spoil(file)
    return file


def archive(umask, zone, locale):
    """The bytes that Scripts/vectors-archive writes."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [ROOT / "Scripts" / "vectors-archive", folder], check=True, stdout=subprocess.DEVNULL, umask=umask,
            env={**os.environ, "TZ": zone, "LC_ALL": locale})
        (file,) = pathlib.Path(folder).iterdir()
        return file.read_bytes()
