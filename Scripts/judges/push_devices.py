"""A registered device, played with lnurl: it is told of a payment after kill -9, catches up, and is woken; only what it does not handle rings."""

import json
import time

import bolt11

from judges.push import APNs, wait_until
from service import post

TOKEN = "cd" * 32


class Device:
    """An app's keys, and what it does with them."""

    def __init__(self, service):
        self.service = service
        files = {name: str(service.folder / f"pushed-{name}.key") for name in ("owner", "device", "secret")}
        self.key, self.secret = files["device"], files["secret"]
        self.registered = service.lnurl(
            "push", "register", service.url(""), "--key-file", files["owner"], "--device-key-file", self.key,
            "--secret-file", self.secret, "--install", "pushed", "--platform", "apns", "--token", TOKEN)

    def opened(self, body):
        """What is encrypted for it in a push message."""
        path = self.service.folder / "message.json"
        path.write_text(json.dumps(body))
        return self.service.lnurl("push", "decrypt", str(path), "--key-file", self.key)

    def fetched(self, *options):
        return self.service.lnurl("push", "fetch", self.service.url(""), "--secret-file", self.secret, *options)

    def acknowledge(self, wake):
        self.service.lnurl("push", "ack", self.service.url(""), wake, "--secret-file", self.secret)


def judge(service, comparison):
    apns = APNs()
    service.stop()
    service.environment["RESPONDER_PUSH_APNS_SERVER"] = apns.url
    service.start()
    device = Device(service)
    judge_payment(service, comparison, apns, device)
    judge_wakes(service, comparison, apns, device)


def judge_payment(service, comparison, apns, device):
    service.put_account(
        "owned", {"description": "For the owner", "owner": device.registered["identity"].removeprefix("ln:")})
    apns.is_silent = True
    invoice = service.lnurl("request", f"owned@{service.address}", "21sat")
    payment_hash = bolt11.decode(invoice["pr"]).payment_hash
    service.responder("settle", payment_hash)
    wait_until(lambda: apns.unanswered > 0)
    service.kill()
    apns.is_silent = False
    service.start()
    wait_until(lambda: apns.pushes)
    told = [device.opened(body) for _, body in apns.pushes]
    comparison.same(
        "payments told after kill -9", {"told": [(each["id"], each["payload"]["title"]) for each in told]},
        {"told": [(payment_hash, "You received 21 sat")]})
    fetched = device.fetched()["messages"]
    comparison.same("messages pending", {"ids": [each["id"] for each in fetched]}, {"ids": [payment_hash]})
    after = device.fetched("--after", str(fetched[-1]["seq"]))["messages"]
    comparison.same("messages pending after they were confirmed", {"count": len(after)}, {"count": 0})


def judge_wakes(service, comparison, apns, device):
    apns.pushes = []
    for topic in ("handled", "ignored"):
        post(service.url(f"/v1/wakes?token={device.registered['handle']}"), {
            "topic": topic, "payload": {"order": topic}, "title": "Incoming payment", "body": "Open the app."})
    wait_until(lambda: len(apns.pushes) == 2)
    wakes = [device.opened(body) for _, body in apns.pushes]
    comparison.same(
        "wakes", {each["topic"]: each["payload"] for each in wakes},
        {topic: {"order": topic} for topic in ("handled", "ignored")})
    comparison.holds("wakes are silent", all("alert" not in body["aps"] for _, body in apns.pushes))
    apns.pushes, ids = [], {each["topic"]: each["id"] for each in wakes}
    device.acknowledge(ids["handled"])
    # The alert is due after eight seconds.
    wait_until(lambda: apns.pushes)
    time.sleep(1)
    alerts = [
        (body["wake_fallback"]["id"], body["aps"]["alert"]["title"], body["aps"]["interruption-level"])
        for _, body in apns.pushes]
    comparison.same("alerts", {"alerts": alerts}, {"alerts": [(ids["ignored"], "Incoming payment", "time-sensitive")]})
