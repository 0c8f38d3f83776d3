"""Plays every exchange of notifications against the programs in a folder: `Scripts/demo-notifications` prepares it."""

import pathlib
import sys
import tempfile

from demo import scenes
from demo.reply_receiver import ReplyReceiver
from demo.stage import Exchanges
from service import Service


def main():
    binaries = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="demo-") as folder, ReplyReceiver() as receiver:
        service = Service(binaries, folder)
        service.environment["RESPONDER_REPLIES_ALLOW_LOOPBACK"] = "true"
        service.environment["RESPONDER_CONFIG"] = str(scenes.handlers(service.folder))
        with service:
            service.put_account("alice", {"description": "Tea at Alice's", "commentAllowed": 256})
            stage = Exchanges(service.responder("account", "show", "alice")["webhook"], receiver)
            play(stage, service)
            ended = service.stop()
        stage.title("the end")
        stage.check(ended == 0, "the service stops when it is told to")
    print(f"\n{stage.exchanges} notifications, {stage.failures} things wrong")
    raise SystemExit(stage.failures > 0)


def play(stage, service):
    metadata = scenes.pay_info(stage, service)
    text, payment_hash = scenes.pay_invoice(stage, service, metadata)
    scenes.pay_verify(stage, service, text, payment_hash)
    scenes.invoice_request(stage, service)
    scenes.news(stage, service, payment_hash)
    scenes.own_type(stage)
    scenes.refusals(stage, service)
    scenes.event_log(stage, service)


main()
