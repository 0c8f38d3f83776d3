"""The package breez-sdk-liquid reads our offers as we do."""

import contextlib
import tempfile

import breez_sdk_liquid as breez

# The point G: an id like any other.
INTRODUCTION = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
REGTEST = "06226e46111a0b59caaf126043eb5bbf28c34f3a5e332a1fc7b2b73cf188910f"
OFFERS = [
    [],
    ["--amount", "21sat"],
    ["--amount", "1msat", "--description", "Kaffee \"für\" ☕ \\ /"],
    ["--description", "ナンセンス 1杯" * 50, "--issuer", "Bob ☕"],
    ["--amount", "1btc", "--quantity-max", "0", "--expires", "1h"],
    ["--single-use", "--quantity-max", "18446744073709551615"],
    ["--introduction", INTRODUCTION],
    ["--amount", "1500msat", "--issuer", "alice@example.com", "--no-issuer-id", "--introduction", INTRODUCTION],
]


def judge(service, comparison):
    with tempfile.TemporaryDirectory() as folder, wallet(folder) as sdk:
        for arguments in OFFERS:
            made = service.responder("offer", "create", "judged", *arguments)
            subject = f"offer {' '.join(arguments) or 'of any amount':.70}"
            read = comparison.accepts(f"{subject}: read", lambda: sdk.parse(made["offer"]).offer)
            if read is not None:
                comparison.same(subject, our_reading(made, service), their_reading(read))


@contextlib.contextmanager
def wallet(folder):
    """Regtest, whose servers are on loopback and need not run: reading an offer asks none."""
    config = breez.default_config(breez.LiquidNetwork.REGTEST, None)
    config.working_dir = folder
    config.sync_service_url = None
    config.use_default_external_input_parsers = False
    sdk = breez.connect(breez.ConnectRequest(config=config, seed=list(range(64))))
    try:
        yield sdk
    finally:
        sdk.disconnect()


def our_reading(made, service):
    """What was printed when the offer was made, and what only `lnurl decode` shows."""
    read = service.lnurl("decode", made["offer"])
    return {key: made[key] for key in ["offer", "amount", "description", "issuer", "issuerID"]} | {
        "chains": [REGTEST if chain == "regtest" else chain for chain in read["chains"]],
        "absoluteExpiry": read["absoluteExpiry"],
        "paths": [[hop["blindedNodeID"] for hop in path["hops"]] for path in read["paths"] or []],
    }


def their_reading(offer):
    return {
        "offer": offer.offer,
        "amount": offer.min_amount and offer.min_amount.amount_msat,
        "description": offer.description,
        "issuer": offer.issuer,
        "issuerID": offer.signing_pubkey,
        "chains": offer.chains,
        "absoluteExpiry": offer.absolute_expiry,
        "paths": [path.blinded_hops for path in offer.paths],
    }
