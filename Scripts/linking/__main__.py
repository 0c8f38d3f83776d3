"""Has both programs do what they do all day, while something watches which functions they call.

Usage: PYTHONPATH=Scripts:Scripts/vectors python -m linking WATCHED BINARIES
"""

import json
import pathlib
import subprocess
import sys
import tempfile

from benchmarks.notifications import Sink
from benchmarks.offers import Forwarder
from service import Service, get, post


def notifications(url):
    """One of each kind, and each spelling of them."""
    payload = json.dumps({"amount": 23_000, "reply_url": url})
    return [
        {"template": "lnurlpay_invoice", "data": {"amount": 21_000, "reply_url": url}},
        {"template": "lnurlpay_invoice", "data": {"amount": 22_000, "comment": "hi", "reply_url": url}},
        {"template": "lnurlpay_info", "data": {"callback_url": "https://example.com/", "reply_url": url}},
        {"template": "lnurlpay_verify", "data": {"payment_hash": "00", "reply_url": url}},
        {"notification_type": "lnurlpay_invoice", "notification_payload": payload},
    ]


def respond(watched, folder, sink):
    command = [watched / "lightning-respond", "--notification", "-", "--data-directory", folder]
    for notification in notifications(sink.url):
        given = json.dumps(notification)
        subprocess.run([*command, "--replies-allow-loopback"], input=given, text=True, stdout=subprocess.DEVNULL, check=False)


def serve(watched, binaries, folder, sink):
    with Service(watched, folder) as service:
        service.binaries = binaries
        service.put_account("alice", {"description": "Sats for Alice"})
        webhook = service.responder("account", "show", "alice")["webhook"]
        Forwarder(service, "alice")
        # Twice: the first time much is done that is never done again.
        for _ in range(2):
            info = get(service.url("/.well-known/lnurlp/alice")).json
            invoice = get(f"{info['callback']}?amount=21000").json
            get(invoice["verify"])
            get(service.url("/robots.txt"))
            for notification in notifications(sink.url):
                sink.taken.clear()
                if post(webhook, notification).status == 200:
                    sink.taken.wait(5)
        get(f"http://{service.admin}/metrics")


def main(watched, binaries):
    sink = Sink()
    with tempfile.TemporaryDirectory() as folder:
        respond(watched, pathlib.Path(folder) / "one-shot", sink)
        serve(watched, binaries, folder, sink)
    sink.close()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
