"""Where replies are posted to: what an LNURL service has behind its reply URLs."""

import http.server
import queue
import secrets
import threading


class ReplyReceiver:
    """Use it as a context. Each reply URL takes one reply; a second one gets 500, as breez-lnurl answers it."""

    def __init__(self):
        self.waiting = {}
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                number = self.path.removeprefix("/response/")
                if not number.isdecimal():
                    status = 400
                elif (place := receiver.waiting.pop(number, None)) is None:
                    status = 500
                else:
                    status = 200
                    place.put(Reply(self.headers, body))
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def open(self):
        """A fresh reply URL, and where its reply will be."""
        number, place = str(secrets.randbits(64)), queue.Queue(maxsize=1)
        self.waiting[number] = place
        return f"http://127.0.0.1:{self.server.server_port}/response/{number}", place


class Reply:
    def __init__(self, headers, body):
        self.cache_control = headers.get("Cache-Control")
        self.content_type = headers.get("Content-Type")
        self.body = body
