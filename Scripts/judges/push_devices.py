"""A registered device, played with lnurl: it is told of a payment after kill -9, catches up, and is woken; only what it does not handle rings."""

import json
import time

import bolt11

from judges.push import PushService, wait_until
from service import post


class Device:
    """An app's keys, and what it does with them."""

    def __init__(self, service, push_service):
        self.service = service
        files = {name: str(service.folder / f"pushed-{name}.key") for name in ("owner", "device", "secret")}
        self.key, self.secret = files["device"], files["secret"]
        self.registered = service.lnurl(
            "push", "register", service.url(""), "--key-file", files["owner"], "--device-key-file", self.key,
            "--secret-file", self.secret, "--install", "pushed", "--platform", "webpush", "--token",
            " ".join(push_service.subscription()))

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
    push_service = PushService()
    device = Device(service, push_service)
    judge_payment(service, comparison, push_service, device)
    judge_wakes(service, comparison, push_service, device)
    push_service.server.shutdown()


def pushed(push_service):
    return [push_service.opened(body) for _, _, body in push_service.messages]


def judge_payment(service, comparison, push_service, device):
    service.put_account(
        "owned", {"description": "For the owner", "owner": device.registered["identity"].removeprefix("ln:")})
    push_service.is_silent = True
    invoice = service.lnurl("request", f"owned@{service.address}", "21sat")
    payment_hash = bolt11.decode(invoice["pr"]).payment_hash
    service.responder("settle", payment_hash)
    wait_until(lambda: push_service.unanswered > 0)
    service.kill()
    push_service.is_silent = False
    service.start()
    wait_until(lambda: push_service.messages)
    told = [device.opened(body) for body in pushed(push_service)]
    comparison.same(
        "payments told after kill -9", {"told": [(each["id"], each["payload"]["title"]) for each in told]},
        {"told": [(payment_hash, "You received 21 sat")]})
    fetched = device.fetched()["messages"]
    comparison.same("messages pending", {"ids": [each["id"] for each in fetched]}, {"ids": [payment_hash]})
    after = device.fetched("--after", str(fetched[-1]["seq"]))["messages"]
    comparison.same("messages pending after they were confirmed", {"count": len(after)}, {"count": 0})


def judge_wakes(service, comparison, push_service, device):
    push_service.messages = []
    for topic in ("handled", "ignored"):
        post(service.url(f"/v1/wakes?token={device.registered['handle']}"), {
            "topic": topic, "payload": {"order": topic}, "title": "Incoming payment", "body": "Open the app."})
    wait_until(lambda: len(push_service.messages) == 2)
    bodies = pushed(push_service)
    wakes = [device.opened(body) for body in bodies]
    comparison.same(
        "wakes", {each["topic"]: each["payload"] for each in wakes},
        {topic: {"order": topic} for topic in ("handled", "ignored")})
    comparison.holds("wakes are silent", all(body.keys() == {"wake"} for body in bodies))
    push_service.messages, ids = [], {each["topic"]: each["id"] for each in wakes}
    device.acknowledge(ids["handled"])
    # The alert is due after eight seconds.
    wait_until(lambda: push_service.messages)
    time.sleep(1)
    alerts = [
        (opened["wake_fallback"]["id"], opened["title"], headers["urgency"])
        for opened, (_, headers, _) in zip(pushed(push_service), push_service.messages, strict=True)]
    comparison.same("alerts", {"alerts": alerts}, {"alerts": [(ids["ignored"], "Incoming payment", "high")]})
