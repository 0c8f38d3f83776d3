"""A wallet on a phone behind a webhook, which answers each push with lightning-respond."""

import json
import os
import subprocess
import sys
import threading

from receiver import Receiver


class Phone(Receiver):
    """A webhook that turns questions into push messages, and a phone that answers each in a process of its own."""

    def __init__(self, binaries, folder, url):
        self.binaries = binaries
        self.folder = folder
        self.pushes = []
        self.is_off = False
        self.environment = {
            **os.environ, "RESPONDER_DATA_DIRECTORY": str(folder / "phone"), "RESPONDER_REPLIES_ALLOW_LOOPBACK": "true",
            # Its metadata name the Lightning address that payers know.
            "RESPONDER_PUBLIC_URL": url,
        }
        self.run("lightning-responder", "account", "add", "alice")
        super().__init__()
        self.webhook = f"{self.origin}/notify?platform=ios&token=a-secret-token"

    def take(self, path, headers, body):
        question = json.loads(body)
        self.pushes.append(question)
        if not self.is_off:
            threading.Thread(target=self.wake, args=(question,)).start()
        return 200, None

    def wake(self, question):
        """What a push service and the wallet's extension do."""
        push = {"notification_type": question["template"], "notification_payload": json.dumps(question["data"])}
        self.run("lightning-respond", "--notification", "-", "--account", "alice", text=json.dumps(push))

    def run(self, program, *arguments, text=""):
        ended = subprocess.run(
            [self.binaries / program, *arguments], env=self.environment, input=text, capture_output=True, text=True,
            timeout=60, check=False)
        if ended.returncode:
            print(f"{program} {arguments} ended with {ended.returncode}: {ended.stdout}{ended.stderr}", file=sys.stderr)
        return ended.stdout
