"""What processes have used, from /proc."""

import os
import pathlib


def processor(processes):
    """Seconds of processor time, user and system."""
    return sum(sum(times(each)[:2]) for each in processes) / os.sysconf("SC_CLK_TCK")


def times(process):
    """Ticks of user and system time of a process, and of its children that have ended."""
    try:
        stat = pathlib.Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return [0, 0, 0, 0]
    # Behind the name, which may contain anything.
    return [int(field) for field in stat.rpartition(")")[2].split()[11:15]]


def switches(process):
    """How many times its threads gave up a processor or lost it."""
    texts = (path.read_text() for path in pathlib.Path(f"/proc/{process}/task").glob("*/status"))
    return sum(int(line.split()[1]) for text in texts for line in text.splitlines() if "ctxt_switches" in line)
