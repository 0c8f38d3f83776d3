"""Says in the end of a test run what its exit status does not: tests that were skipped, tests that hang, targets without a test.

Usage: python3 Scripts/test_report.py EVENTS TARGET...

EVENTS is what `swift test --event-stream-output-path` has written (Swift Testing's ABI/JSON.md, version 0), whole or broken off.
Ends with status 1 when a test did not end, or a target holds none.
"""

import json
import sys


class Run:
    def __init__(self, lines):
        self.names = {}
        self.suites = set()
        self.ends = {}
        self.overdue = set()
        for line in lines:
            try:
                record = json.loads(line)
            except ValueError:
                continue  # the last one, of a run that was ended
            self.take(record["kind"], record["payload"])

    def take(self, kind, payload):
        if kind == "test":
            self.names[payload["id"]] = payload.get("displayName") or payload["name"]
            if payload["kind"] == "suite":
                self.suites.add(payload["id"])
            return
        test = payload.get("testID")
        match payload["kind"]:
            case "testStarted":
                self.ends.setdefault(test, None)
            case "testEnded" | "testSkipped" | "testCancelled" as end:
                self.ends[test] = end
            case "issueRecorded" if any("Time limit was exceeded" in each["text"] for each in payload["messages"]):
                self.overdue.add(test)

    def ended(self, end):
        """The tests of which this was the end; None for those that did not end."""
        return [test for test, its in self.ends.items() if its == end and test not in self.suites]

    def title(self, test):
        return f"{test.split('.')[0]}: {self.names.get(test, test)}"

    def targets(self):
        return {test.split(".")[0] for test in self.names if test not in self.suites}


def main(path, targets):
    with open(path, encoding="utf-8") as lines:
        run = Run(lines)
    skipped, hanging = run.ended("testSkipped"), run.ended(None)
    # While tests hang, others may wait for their turn; what is over its time is not among those.
    hanging = [test for test in hanging if test in run.overdue] or hanging
    for title in sorted(map(run.title, skipped)):
        print(f"skipped: {title}")
    for title in sorted(map(run.title, hanging)):
        print(f"did not end: {title}")
    empty = sorted(set(targets) - run.targets())
    for target in empty:
        print(f"holds no test: {target}")
    print(f"{len(run.ended('testEnded'))} tests of {len(run.targets())} targets ended, {len(skipped)} were skipped")
    return 1 if hanging or empty else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
