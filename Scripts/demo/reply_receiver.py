"""Where replies are posted to: what an LNURL service has behind its reply URLs."""

import queue
import secrets

from receiver import Receiver


class ReplyReceiver(Receiver):
    """Each reply URL takes one reply; a second one gets 500, as breez-lnurl answers it."""

    def __init__(self):
        self.waiting = {}
        super().__init__()

    def take(self, path, headers, body):
        number = path.removeprefix("/response/")
        if not number.isdecimal():
            return 400, None
        place = self.waiting.pop(number, None)
        if place is None:
            return 500, None
        place.put(Reply(headers, body))
        return 200, None

    def open(self):
        """A fresh reply URL, and where its reply will be."""
        number, place = str(secrets.randbits(64)), queue.Queue(maxsize=1)
        self.waiting[number] = place
        return f"{self.origin}/response/{number}", place


class Reply:
    def __init__(self, headers, body):
        self.cache_control = headers.get("Cache-Control")
        self.content_type = headers.get("Content-Type")
        self.body = body
