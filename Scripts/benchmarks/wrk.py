"""wrk: one thread, 64 connections that are kept open."""

import re
import subprocess

CONNECTIONS = 64
UNITS = {"us": 1e-3, "ms": 1.0, "s": 1e3, "m": 6e4}


def run(url, seconds, script=None, *arguments):
    """Requests per second, the 99th percentile of their times in ms, and how many there were."""
    return end(begin(url, seconds, CONNECTIONS, script, *arguments))


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
    value, unit = re.search(r"^\s+99%\s+([\d.]+)(us|ms|s|m)\s*$", text, re.MULTILINE).groups()
    return {
        "rate": float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1)),
        "p99": float(value) * UNITS[unit],
        "count": int(re.search(r"(\d+) requests in", text).group(1)),
    }
