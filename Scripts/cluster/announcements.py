"""Takes the webhooks of payments in, and knows which came more than once."""

import http.server
import json
import threading


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        """A sender that is killed leaves its connections; the default prints a trace for each."""


class Announcements:
    def __init__(self):
        self.hashes, self.identifiers, self.repeated = set(), set(), 0
        announcements = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                announcements.note(self.headers["webhook-id"], body)
                self.send_response_only(204)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.lock = threading.Lock()
        self.server = Server(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/payments"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def note(self, identifier, body):
        with self.lock:
            self.repeated += identifier in self.identifiers
            self.identifiers.add(identifier)
            self.hashes.add(body["data"]["paymentHash"])
