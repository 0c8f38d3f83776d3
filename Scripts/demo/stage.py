"""What is shown: one exchange after the other, and every check with its mark."""

import json
import queue
import time

from service import post

ENVELOPES = ("template", "event", "push", "push-body")


def wrapped(envelope, kind, payload):
    """A notification in one of the envelopes in which they travel."""
    if envelope in ("template", "event"):
        return {envelope: kind, "data": payload}
    message = {"notification_type": kind, "notification_payload": json.dumps(payload), "app_data": "demo"}
    return message if envelope == "push" else {"body": message}


class Stage:
    """Prints what happens, and counts what is wrong."""

    failures = 0

    def title(self, text):
        print(f"\n── {text} " + "─" * max(4, 76 - len(text)))

    def check(self, holds, text):
        self.failures += not holds
        print(f"   {'✓' if holds else '✗'} {text}")
        return holds


class Exchanges(Stage):
    """Posts notifications to one webhook, and prints what goes to and fro."""

    def __init__(self, webhook, receiver):
        self.webhook = webhook
        self.receiver = receiver
        self.exchanges = 0

    def notify(self, kind, payload, envelope="template", status=200, webhook=None):
        """Posts a notification and checks the status of the webhook's answer; the answer."""
        self.exchanges += 1
        notification = wrapped(envelope, kind, payload)
        # The URL holds a secret.
        print(f" → POST /webhook/alice/…  {json.dumps(notification)}")
        answer = post(webhook or self.webhook, notification)
        shown = f"  {answer.body.decode()}" if answer.body else ""
        print(f" ← {answer.status}{shown}")
        self.check(answer.status == status, f"HTTP {status}")
        return answer

    def ask(self, kind, payload, envelope="template", max_age=None):
        """Posts a notification that is answered at its reply URL, and waits for the reply; its JSON, or an empty object."""
        url, place = self.receiver.open()
        begin = time.monotonic()
        if self.notify(kind, {**payload, "reply_url": url}, envelope).status != 200:
            return {}
        try:
            reply = place.get(timeout=30)
        except queue.Empty:
            self.check(False, "no reply came within 30 seconds")
            return {}
        took = round((time.monotonic() - begin) * 1000)
        print(f" ← POST /response/…  Cache-Control: {reply.cache_control}  after {took} ms\n   {reply.body.decode()}")
        self.check(reply.content_type == "application/json", "is application/json")
        expected = None if max_age is None else f"max-age={max_age}"
        self.check(reply.cache_control == expected, f"Cache-Control is {expected}")
        try:
            answer = json.loads(reply.body)
        except ValueError:
            answer = None
        if self.check(isinstance(answer, dict), "is a JSON object"):
            return answer
        return {}
