"""openapi-spec-validator and jsonschema: the contract of hooks, and what the example hook answers."""

import json
import pathlib
import subprocess
import sys
import tempfile

import jsonschema
import yaml
from openapi_spec_validator import validate

ROOT = pathlib.Path(__file__).parents[2]
QUESTIONS = [
    ("info", {}),
    ("limits", {}),
    ("create", {
        "amount": 21000, "description": "Tea", "descriptionHash": None, "expiry": 60, "label": "one", "preimage": None,
    }),
    ("status", {"paymentHash": "00" * 32}),
    ("settlements", {"after": None, "wait": 0, "limit": 10}),
]


def judge(_, comparison):
    contract = yaml.safe_load((ROOT / "docs" / "hook-api.yaml").read_text())
    comparison.accepts("docs/hook-api.yaml is OpenAPI", lambda: validate(contract) or True)
    with tempfile.TemporaryDirectory() as folder:
        lines = [json.dumps({"id": 1, "method": method, "params": params}) for method, params in QUESTIONS]
        for (method, params), line in zip(QUESTIONS, lines):
            operation = contract["paths"]["/" + method]["post"]
            check(comparison, f"the question {method}", contract, operation["requestBody"], params)
            hook = subprocess.Popen(
                [sys.executable, "-B", str(ROOT / "Scripts" / "hook" / "example.py"), folder + "/node"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            )
            hook.stdin.write(line + "\n")
            hook.stdin.flush()
            result = json.loads(hook.stdout.readline())["result"]
            hook.kill()
            hook.communicate()
            check(comparison, f"the answer to {method}", contract, operation["responses"]["200"], result)


def check(comparison, subject, contract, part, value):
    """Whether a value is as its part of the contract says."""
    if "$ref" in part:
        part = contract["components"]["requestBodies"][part["$ref"].rsplit("/", 1)[-1]]
    schema = {**part["content"]["application/json"]["schema"], "components": contract["components"]}
    comparison.accepts(f"{subject} is as the contract says", lambda: jsonschema.validate(value, schema) or True)
