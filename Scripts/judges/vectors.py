"""jsonschema, bolt11 and lnurl: the form of the vectors, and what other implementations make of them."""

import json
import pathlib
import sys

import jsonschema

ROOT = pathlib.Path(__file__).parents[2]
RUNNERS = ROOT / "Scripts" / "implementations"


def judge(service, comparison):
    schema = json.loads((ROOT / "Vectors" / "schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    files = sorted((ROOT / "Vectors").glob("*/*.json"))
    faults = [f"{file.parent.name}/{file.name}: {fault.message:.200}" for file in files for fault in
              validator.iter_errors(json.loads(file.read_text()))]
    comparison.holds(f"{len(files)} files follow Vectors/schema.json{''.join('; ' + fault for fault in faults)}", not faults)
    for name in ("bolt11", "lnurl"):
        report = service.lnurl(
            "vectors", "run", str(ROOT / "Vectors"), "--implementation", f"{sys.executable} -B {RUNNERS}/run_{name}.py",
            "--known-failures", str(RUNNERS / f"{name}.json"), status=None)
        for remark in (remark for file in report["files"] for remark in file["remarks"] if remark.startswith("failed")):
            print(f"  {remark}")
        comparison.holds(
            f"the package {name}: {report['passed']} vectors pass, {report['known']} fail as is known, {report['failed']} otherwise",
            report["ok"])
