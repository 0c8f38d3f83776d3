"""wrk: one thread, with connections that are kept open."""

import pathlib
import re
import subprocess

from benchmarks.usage import processor, switches

CONNECTIONS = 64
# Posts the bodies of a file, one a line, each once.
BODIES = pathlib.Path(__file__).with_name("bodies.lua")
UNITS = {"us": 1e-3, "ms": 1.0, "s": 1e3, "m": 6e4}


def run(url, seconds, script=None, *arguments, connections=CONNECTIONS):
    """Requests per second, percentiles of their times in ms, and how many there were."""
    return end(begin(url, seconds, connections, script, *arguments))


def begin(url, seconds, connections, script=None, *arguments):
    """Several may run at once."""
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "10s", "--latency"]
    command += [url] if script is None else ["-s", script, url, "--", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def end(process):
    """What `run` returns."""
    text, _ = process.communicate()
    if process.returncode != 0:
        raise SystemExit(f"wrk ended with status {process.returncode}")
    if "Non-2xx" in text or "Socket errors" in text:
        raise SystemExit(f"requests failed:\n{text}")
    times = re.findall(r"^\s+(50|99)%\s+([\d.]+)(us|ms|s|m)\s*$", text, re.MULTILINE)
    return {
        "rate": float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1)),
        **{f"p{percent}": float(value) * UNITS[unit] for percent, value, unit in times},
        "count": int(re.search(r"(\d+) requests in", text).group(1)),
    }


def measured(server, load):
    """The result of a load, with the seconds of processor time and the task switches that each request costs the server."""
    spent, switched = processor([server.pid]), switches(server.pid)
    result = load()
    result["processor"] = (processor([server.pid]) - spent) / result["count"]
    result["switches"] = (switches(server.pid) - switched) / result["count"]
    return result
