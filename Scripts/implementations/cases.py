"""Reads cases from standard input and writes their outcomes to standard output, a JSON object a line: see Vectors/README.md."""

import json
import sys


def serve(operations, omits=()):
    """Runs the functions of {(standard, subject): function}; what a function raises is a refusal.

    `omits` names values that the implementation does not know.
    """
    for line in sys.stdin:
        case = json.loads(line)
        operation = operations.get((case["standard"], case["subject"]))
        print(json.dumps(outcome(operation, case["input"], omits)), flush=True)


def outcome(operation, value, omits):
    if operation is None:
        return {"skip": "not implemented"}
    try:
        return {"values": operation(value), "omits": list(omits)}
    except Exception:  # whatever the implementation objects to
        return {"reject": True}
