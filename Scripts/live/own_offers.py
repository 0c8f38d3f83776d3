"""Offers that a node makes itself for accounts of the service, and answers itself."""

import time

from live.nodes import RPCError, until

ACCOUNTS = ("tea", "coffee")


def own_offers(judge):
    """Made through the service, paid by the payer over onion messages, shown under their accounts, switched off."""
    for account in ACCOUNTS:
        judge.service.put_account(account, {"description": f"Sats for {account}", "backend": "offering"})
    offers = {account: made(judge, account) for account in ACCOUNTS}
    judge.check("own offers: each account has another one", len(set(offers.values())) == len(ACCOUNTS))
    for account, amount in (("tea", 1000), ("coffee", 54_321), ("tea", 77_777)):
        paid_under(judge, f"own offer of {account}, {amount} msat", account, offers[account], amount)
    paid_meanwhile(judge, offers)
    off_at_node(judge, "tea", offers["tea"])
    off_when_node_is_back(judge, "coffee", offers["coffee"])


def made(judge, account):
    offer = judge.service.responder("offer", "create", account)
    read = judge.payer("decode", string=offer["offer"])
    judge.check(f"own offer of {account}: the payer decodes it", read["valid"] and read["offer_issuer_id"] == judge.payee.id)
    named = (offer["madeBy"], offer["madeByNode"], offer["reach"]["node"]["now"])
    judge.check(f"own offer of {account}: it is said which node answers for it", named == ("offering", judge.payee.id, True))
    return offer["offer"]


def fetched(judge, offer, amount):
    """The invoice that the node gives the payer, with its payment hash."""
    for attempt in range(5):
        try:
            invoice = judge.payer("fetchinvoice", offer=offer, amount_msat=amount)["invoice"]
            return invoice, judge.payer("decode", string=invoice)["invoice_payment_hash"]
        except RPCError:
            # Onion messages get lost, above all after a restart.
            if attempt == 4:
                raise
            time.sleep(0.5)


def shown(judge, account):
    """The payment hashes of an account's settled invoices."""
    invoices = judge.service.ask_admin(f"/invoices?account={account}&state=settled")["invoices"]
    return [invoice["paymentHash"] for invoice in invoices]


def paid_under(judge, text, account, offer, amount):
    invoice, payment_hash = fetched(judge, offer, amount)
    preimage, paid = judge.pay_patiently(invoice)
    judge.settles(text, lambda: payment_hash in shown(judge, account), paid)
    judge.check(f"{text}: the payer's preimage", judge.preimage(payment_hash) == preimage)
    others = [other for other in ACCOUNTS if other != account]
    judge.check(f"{text}: under no other account", not any(payment_hash in shown(judge, other) for other in others))


def paid_meanwhile(judge, offers):
    """The node answers for its offers while the responder is dead."""
    judge.service.kill()
    paid = {}
    for account, offer in offers.items():
        invoice, paid[account] = fetched(judge, offer, 4321)
        judge.pay(invoice)
    judge.service.start()
    started = time.monotonic()
    for account, payment_hash in paid.items():
        text = f"own offer of {account}, paid while the responder was dead"
        judge.settles(text, lambda: payment_hash in shown(judge, account), started, "the responder was ready")


def refusal(judge, offer):
    """In which words the payer is refused an invoice; nil when there is one."""
    try:
        judge.payer("fetchinvoice", offer=offer, amount_msat=1000)
        return None
    except RPCError as error:
        return str(error).rsplit(": ", 1)[-1]


def off_at_node(judge, account, offer):
    disabled = judge.service.responder("offer", "disable", offer)
    judge.check(
        f"own offer of {account}: off here and at the node",
        disabled["state"] == "disabled" and disabled["disabledAtNodeAt"] and not disabled["reach"]["node"]["now"],
    )
    words = refusal(judge, offer)
    judge.check(f"own offer of {account}: the payer is refused, {words!r}", words is not None and "no longer available" in words)


def off_when_node_is_back(judge, account, offer):
    """A node that is gone cannot be told; the offer stays live there until it is."""
    judge.payee.kill()
    failed = judge.service.run("lightning-responder", ("offer", "disable", offer), status=69)
    print(" ", failed["error"]["reasons"][0])
    judge.check("node gone: off here, still live there", "still enabled at offering" in failed["error"]["reasons"][0])
    judge.payee.start()
    until(lambda: all(channel.get("reestablished") for channel in judge.payee("listpeerchannels")["channels"]))
    paid_under(judge, f"own offer of {account}, off here only", account, offer, 2222)
    judge.service.responder("offer", "disable", offer)
    judge.check(f"own offer of {account}: disabled again, the payer is refused", refusal(judge, offer) is not None)
