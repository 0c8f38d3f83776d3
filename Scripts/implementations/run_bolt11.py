"""The package bolt11 of PyPI as a runner of Vectors/bolt-11: lnurl vectors run --implementation "python run_bolt11.py"."""

import bolt11

from cases import serve

NETWORKS = {"bc": "bitcoin", "tb": "testnet", "tbs": "signet", "bcrt": "regtest"}
HOP = ["nodeID", "shortChannelID", "feeBase", "feeProportionalMillionths", "cltvExpiryDelta"]


def hop(route):
    """A hop of a hint; the package writes the id of its channel as block x transaction x output."""
    values = dict(zip(HOP, route))
    block, transaction, output = map(int, values["shortChannelID"].split("x"))
    return values | {"shortChannelID": block << 40 | transaction << 16 | output}


def decode(case):
    invoice = bolt11.decode(case["invoice"])
    features = invoice.features.feature_list if invoice.features else {}
    return {
        "network": NETWORKS[invoice.currency],
        "amount": invoice.amount_msat and int(invoice.amount_msat),
        "timestamp": invoice.date,
        "payee": invoice.payee,
        "paymentHash": invoice.payment_hash,
        "paymentSecret": invoice.payment_secret,
        "description": invoice.description,
        "descriptionHash": invoice.description_hash,
        "paymentMetadata": invoice.metadata,
        "expiry": invoice.expiry,
        "expiresAt": invoice.date + invoice.expiry,
        "minFinalCLTVExpiryDelta": invoice.min_final_cltv_expiry,
        "routeHints": [[hop(route) for route in hint.routes] for hint in invoice.route_hints],
        "features": sorted(2 * feature.value + state.value for feature, state in features.items()),
        "signature": invoice.signature.signature_data.hex()[:128],
        "recoveryID": invoice.signature.signature_data[64],
    }


def sign(case):
    invoice = bolt11.decode(case["invoice"])
    return {"invoice": bolt11.encode(invoice, private_key=case["secretKey"])}


if __name__ == "__main__":
    serve({("bolt-11", "decode"): decode, ("bolt-11", "sign"): sign}, omits=["fallbackAddresses", "payeeIsStated"])
