"""Plays the loop of an app user's Lightning address against the programs in a folder: `Scripts/demo-gateway` prepares it."""

import json
import pathlib
import resource
import sys
import tempfile
import time

from demo.phone import Phone
from demo.stage import Stage
from service import Service, get

MEGABYTE = 1024  # of the kilobytes that getrusage tells


def main():
    binaries, stage = pathlib.Path(sys.argv[1]).resolve(), Stage()
    with tempfile.TemporaryDirectory(prefix="gateway-") as folder:
        folder = pathlib.Path(folder)
        service = Service(binaries, folder)
        service.environment |= {
            "RESPONDER_GATEWAY_ENABLED": "true", "RESPONDER_GATEWAY_NETWORK": "regtest",
            "RESPONDER_GATEWAY_ALLOW_LOOPBACK": "true", "RESPONDER_LIMITS_REQUEST_TIME": "6",
        }
        phone = Phone(binaries, folder, service.url(""))
        with service:
            play(stage, service, phone, folder)
            stage.title("the end")
            log = service.log.read_text()
            stage.check("a-secret-token" not in log and "/response/" not in log, "no token and no reply id is in the log")
            stage.check(service.stop() == 0, "the service stops when it is told to")
    print(f"\n{len(phone.pushes)} questions to the phone, {stage.failures} things wrong")
    raise SystemExit(stage.failures > 0)


def play(stage, service, phone, folder):
    wallet = ("--key-file", str(folder / "wallet.key"), "--webhook", phone.webhook)
    stage.title("the wallet registers")
    registered = service.lnurl("register", service.url(""), *wallet, "--name", "Alice")
    address = registered["lightning_address"]
    print(f"   {address}, {registered['lnurl'][:40]}…")
    stage.check(address == f"alice@{service.address}", "the address has the folded name")
    stage.check(service.lnurl("recover", service.url(""), *wallet)["lightning_address"] == address, "it is recovered")
    shown = service.responder("registration", "show", "alice")
    stage.check("a-secret-token" not in json.dumps(shown), "the operator sees no token")

    stage.title("a payer asks what may be sent, and for an invoice")
    begin = time.monotonic()
    info = service.lnurl("info", address)
    stage.check(info["ok"], f"the phone tells its limits, in {time.monotonic() - begin:.2f} s")
    begin = time.monotonic()
    request = service.lnurl("request", address, "21sat", "--comment", "hello", "--network", "regtest")
    stage.check(request["ok"], f"the phone makes an invoice that passes every check of a payer, in {time.monotonic() - begin:.2f} s")
    asked = phone.pushes[-1]["data"]
    stage.check(asked["amount"] == 21000 and asked["comment"] == "hello", "amount and comment have reached it")

    stage.title("a payer asks by the LNURL of the wallet's key")
    stage.check(service.lnurl("info", registered["lnurl"])["ok"], "the phone answers too")

    stage.title("the phone is off")
    phone.is_off = True
    count, begin = len(phone.pushes), time.monotonic()
    refused = get(service.url("/lnurlpay/alice/invoice?amount=1000")).json
    took = time.monotonic() - begin
    print(f"   {refused['reason']}")
    stage.check(refused["status"] == "ERROR" and took < 6, f"the payer is told what to do, after {took:.1f} s")
    stage.check(len(phone.pushes) == count + 1, "the phone was woken once")
    phone.is_off = False

    stage.title("the wallet unregisters")
    service.lnurl("unregister", service.url(""), *wallet)
    stage.check(get(service.url("/lnurlp/alice")).json["status"] == "ERROR", "nobody of that name is here any more")

    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / MEGABYTE
    print(f"   the largest process of all had {peak:.0f} MB")


main()
