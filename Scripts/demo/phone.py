"""A wallet on a phone behind a webhook, which answers each push with lightning-respond."""

import http.server
import json
import os
import subprocess
import sys
import threading


class Phone:
    """A webhook that turns questions into push messages, and a phone that answers each in a process of its own."""

    def __init__(self, binaries, folder):
        self.binaries = binaries
        self.folder = folder
        self.pushes = []
        self.is_off = False
        self.environment = {
            **os.environ, "RESPONDER_DATA_DIRECTORY": str(folder / "phone"), "RESPONDER_REPLIES_ALLOW_LOOPBACK": "true",
        }
        self.run("lightning-responder", "account", "add", "me")
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.webhook = f"http://127.0.0.1:{self.server.server_port}/notify?platform=ios&token=a-secret-token"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def handler(self):
        phone = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()
                phone.pushes.append(question)
                if not phone.is_off:
                    threading.Thread(target=phone.wake, args=(question,)).start()

            def log_message(self, *_):
                pass

        return Handler

    def wake(self, question):
        """What a push service and the wallet's extension do."""
        push = {"notification_type": question["template"], "notification_payload": json.dumps(question["data"])}
        self.run("lightning-respond", "--notification", "-", "--account", "me", text=json.dumps(push))

    def run(self, program, *arguments, text=""):
        ended = subprocess.run(
            [self.binaries / program, *arguments], env=self.environment, input=text, capture_output=True, text=True,
            timeout=60, check=False)
        if ended.returncode:
            print(f"{program} {arguments} ended with {ended.returncode}: {ended.stdout}{ended.stderr}", file=sys.stderr)
        return ended.stdout
