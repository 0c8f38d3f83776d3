"""SwiftNIO's own HTTP server, which answers each request with the same text."""

import contextlib
import subprocess
import time

from service import free_port, get


class BareServer:
    def __init__(self, binaries):
        port = free_port()
        self.url = f"http://127.0.0.1:{port}/"
        self.process = subprocess.Popen([binaries / "responder-bench", "http", str(port)])

    def __enter__(self):
        for _ in range(100):
            with contextlib.suppress(OSError):
                get(self.url)
                return self
            time.sleep(0.05)
        raise SystemExit("the bare server does not answer")

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
