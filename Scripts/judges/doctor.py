"""lnurl doctor, as an operator runs it, finds nothing wrong with the service."""

# What cannot be checked of a service on this machine, with what the accounts do not offer.
ANYWHERE = [
    "certificate", "callback-https", "withdraw-link", "metadata-long-description",
    "success-action-form", "success-action-aes", "success-action-host",
    "zap-members", "zap-comments", "zap", "zap-hash", "zap-forged", "zap-other-amount",
    "nostr-name-redirect", "nostr-name-cross-origin", "nostr-name-key", "nostr-name-asked", "nostr-name-relays",
    "dns-name-one", "dns-name-alone", "dns-name-signed", "dns-name-offer", "dns-name-payable", "dns-name-lifetime", "dns-name-empty",
]
SKIPPED = {
    "examined": [*ANYWHERE, "payer-data-challenge", "payer-data-forged"],
    "plain": [
        *ANYWHERE, "payer-data-form", "payer-data-known", "payer-data-challenge", "payer-data", "payer-data-missing", "payer-data-forged",
    ],
}


def judge(service, comparison):
    # What wallets expect, and every kind of payer data that is not a signature.
    service.put_account("examined", {
        "description": "Sats for the doctor", "minSendable": 1000, "commentAllowed": 144,
        "payerData": {"name": "optional", "identifier": "mandatory"},
    })
    service.put_account("plain", {"description": "Nothing but sats"})
    for name in ("examined", "plain"):
        report = service.lnurl("doctor", f"{name}@{service.address}", "--deep", "--rate", "1000", status=None)
        for finding in report["findings"]:
            if finding["verdict"] in ("warning", "failed"):
                print(f"  {finding['verdict']}: {finding['name']}: {finding['detail']}")
        comparison.holds(f"{name}: {report['counts']['passed']} checks pass", report["ok"])
        skipped = [finding["name"] for finding in report["findings"] if finding["verdict"] == "skipped"]
        other = sorted(set(skipped) ^ set(SKIPPED[name]))
        comparison.holds(f"{name}: {len(skipped)} checks are skipped, as is known{''.join('; not ' + check for check in other)}", not other)
