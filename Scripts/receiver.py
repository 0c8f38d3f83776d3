"""A server on loopback that takes what is posted to it."""

import http.server
import json
import sys
import threading


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *about):
        # A sender that is killed leaves its connections.
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(*about)


class Receiver:
    """Listens from the start. A context, too; leaving ends it."""

    def __init__(self):
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                asked = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                status, body = receiver.take(self.path, self.headers, asked)
                answer = b"" if body is None else json.dumps(body).encode()
                self.send_response_only(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port
        self.origin = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def take(self, path, headers, body):
        """The answer's status, and what it has as JSON, or None."""
        raise NotImplementedError
