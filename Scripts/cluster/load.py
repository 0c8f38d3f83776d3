"""Payers without a break, and everything that they were given."""

import http.client
import json
import random
import threading
import time
import urllib.parse

TIMEOUT = 40
PAID = 0.3


class Book:
    """What payers were given, and when they were not."""

    def __init__(self):
        self.lock = threading.Lock()
        self.invoices = {}
        self.paid = {}
        self.settled = set()
        self.requests = 0
        self.errors = {}
        self.longest = 0.0
        self.longest_words = ""
        self.slowest = 0.0

    def note(self, payment_hash, amount):
        with self.lock:
            self.invoices[payment_hash] = amount

    def note_payment(self, payment_hash, amount):
        with self.lock:
            self.paid[payment_hash] = amount

    def note_settled(self, payment_hash):
        with self.lock:
            self.settled.add(payment_hash)

    def count(self, seconds):
        with self.lock:
            self.requests += 1
            self.slowest = max(self.slowest, seconds)

    def note_error(self, words):
        with self.lock:
            self.errors[words] = self.errors.get(words, 0) + 1

    def note_outage(self, seconds, words):
        with self.lock:
            if seconds > self.longest:
                self.longest, self.longest_words = seconds, words


class Refused(Exception):
    """An ERROR, or no answer at all."""


class Payer(threading.Thread):
    """Asks for one invoice after the other, pays some, and looks until it is told that they are settled.

    `settle(payment_hash, invoice)` pays, and says whether it knows that it has.
    """

    def __init__(self, book, balancer, account, settle, stopped):
        super().__init__(daemon=True)
        self.book, self.account, self.settle, self.stopped = book, account, settle, stopped
        self.host = balancer.address
        self.connection = None
        # When this payer's requests began to fail.
        self.failing_since = None

    def run(self):
        while not self.stopped.is_set():
            amount = random.randrange(1_000, 1_000_000)
            invoice = self.until_answered(lambda amount=amount: self.invoice(amount))
            if invoice is None:
                return
            payment_hash = invoice["verify"].rsplit("/", 1)[-1]
            self.book.note(payment_hash, amount)
            if random.random() < PAID:
                self.pay(payment_hash, amount, invoice)

    def invoice(self, amount):
        info = self.ask(f"/.well-known/lnurlp/{self.account}")
        return self.ask(f"{path(info['callback'])}?amount={amount}")

    def pay(self, payment_hash, amount, invoice):
        if not self.settle(payment_hash, invoice["pr"]):
            return
        verify = path(invoice["verify"])
        self.book.note_payment(payment_hash, amount)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not self.stopped.is_set():
            answer = self.until_answered(lambda: self.ask(verify))
            if answer is None or answer["settled"]:
                if answer:
                    self.book.note_settled(payment_hash)
                return
            time.sleep(0.05)

    def until_answered(self, question):
        """Repeats a question as a payer would who tries again; nil when all is over."""
        while not self.stopped.is_set():
            begun = time.monotonic()
            try:
                answer = question()
            except Refused as error:
                self.failing_since = self.failing_since or begun
                words = str(error)
                self.book.note_error(words)
                self.book.note_outage(time.monotonic() - self.failing_since, words)
                time.sleep(0.2)
                continue
            if self.failing_since:
                self.book.note_outage(begun - self.failing_since, "then answered")
                self.failing_since = None
            return answer
        return None

    def ask(self, target):
        begun = time.monotonic()
        try:
            self.connection = self.connection or http.client.HTTPConnection(self.host, timeout=TIMEOUT)
            self.connection.request("GET", target)
            response = self.connection.getresponse()
            body = response.read()
        except (OSError, http.client.HTTPException) as error:
            self.connection = None
            raise Refused(type(error).__name__) from error
        finally:
            self.book.count(time.monotonic() - begun)
        if response.status != 200:
            raise Refused(f"status {response.status}")
        answer = json.loads(body)
        if answer.get("status") == "ERROR":
            raise Refused(answer["reason"])
        return answer


def path(url):
    return urllib.parse.urlsplit(url).path
