"""Takes the webhooks of payments in, and knows which came more than once."""

import json
import threading

from receiver import Receiver


class Announcements(Receiver):
    def __init__(self):
        self.hashes, self.identifiers, self.repeated = set(), set(), 0
        self.lock = threading.Lock()
        super().__init__()
        self.url = self.origin + "/payments"

    def take(self, path, headers, body):
        with self.lock:
            self.repeated += headers["webhook-id"] in self.identifiers
            self.identifiers.add(headers["webhook-id"])
            self.hashes.add(json.loads(body)["data"]["paymentHash"])
        return 204, None
