"""The package bolt11 reads our invoices as we do, and we read those that it makes."""

import hashlib
import random

import bolt11
import coincurve
from bolt11.models.features import Feature, Features, FeatureState
from bolt11.models.routehint import Route, RouteHint
from bolt11.models.tags import Tag, TagChar, Tags

from service import get

AMOUNTS = [1_000, 1_001, 21_000, 999_999, 100_000_000]
FIELDS = [
    "network", "amount", "timestamp", "paymentHash", "paymentSecret", "description", "descriptionHash", "expiry",
    "minFinalCLTVExpiryDelta", "payee", "paymentMetadata", "features", "signature",
]
NETWORKS = {"bc": "bitcoin", "tb": "testnet", "tbs": "signet", "bcrt": "regtest"}


def judge(service, comparison):
    print(f"  compared: {', '.join(FIELDS)}, routeHints")
    for amount in AMOUNTS:
        answer = get(service.url(f"/lnurlpay/judged/invoice?amount={amount}")).json
        compare(f"our invoice of {amount} msat", answer["pr"], service, comparison)
    for subject, text in made_by_bolt11():
        compare(f"its invoice {subject}", text, service, comparison)


def compare(subject, text, service, comparison):
    comparison.same(subject, our_reading(text, service), their_reading(text))


def our_reading(text, service):
    read = service.lnurl("decode-invoice", text)
    hops = ["nodeID", "shortChannelID", "feeBase", "feeProportionalMillionths", "cltvExpiryDelta"]
    return {key: read[key] for key in FIELDS} | {
        "routeHints": [[[hop[key] for key in hops] for hop in hint] for hint in read["routeHints"]],
    }


def their_reading(text):
    invoice = bolt11.decode(text)
    features = invoice.features.feature_list if invoice.features else {}
    fields = [
        NETWORKS[invoice.currency],
        invoice.amount_msat and int(invoice.amount_msat),
        invoice.date,
        invoice.payment_hash,
        invoice.payment_secret,
        invoice.description,
        invoice.description_hash,
        invoice.expiry,
        invoice.min_final_cltv_expiry,
        invoice.payee,
        invoice.metadata,
        sorted(2 * feature.value + state.value for feature, state in features.items()),
        invoice.signature.signature_data.hex(),
    ]
    return dict(zip(FIELDS, fields, strict=True)) | {
        "routeHints": [[list(hop) for hop in hint.routes] for hint in invoice.route_hints],
    }


def made_by_bolt11():
    """Invoices that differ in one thing each, then some in which chance decides; the same in every run."""
    chance = random.Random(11)
    description = Tag(TagChar.description, "a coffee")
    for currency in NETWORKS:
        yield f"on {currency}", made(chance, [description], currency=currency)
    for amount in [None, 1, 10, 999, 1_000, 123_456_789, 100_000_000_000, 2_000_000_000_000]:
        yield f"of {amount} msat", made(chance, [description], amount=amount)
    for text in ["", "ナンセンス 1杯", "☕" * 200, "\\\"'\t"]:
        yield f"described as {text:.12}", made(chance, [Tag(TagChar.description, text)])
    hashed = Tag(TagChar.description_hash, hashlib.sha256(b"metadata").hexdigest())
    yield "with a description hash", made(chance, [hashed])
    # Not zero: bolt11 itself cannot read the empty field that it writes then.
    for expiry in [1, 31, 32, 3_600, 604_800, 2**31]:
        yield f"that expires after {expiry} s", made(chance, [description, Tag(TagChar.expire_time, expiry)])
    for delta in [9, 18, 144, 2_016]:
        yield f"with a final delta of {delta}", made(chance, [description, Tag(TagChar.min_final_cltv_expiry, delta)])
    yield "with payment metadata", made(chance, [description, Tag(TagChar.metadata, "01fafaf0")])
    features = {
        Feature.var_onion_optin: FeatureState.required,
        Feature.payment_secret: FeatureState.required,
        Feature.basic_mpp: FeatureState.supported,
    }
    yield "with features", made(chance, [description, Tag(TagChar.features, Features.from_feature_list(features))])
    for hops in [1, 2, 3]:
        yield f"with a hint of {hops} hops", made(chance, [description, Tag(TagChar.route_hint, hint(chance, hops))])
    for number in range(20):
        tags = [description, Tag(TagChar.expire_time, chance.randrange(2**20))]
        yield f"by chance, {number}", made(chance, tags, amount=chance.randrange(1, 10**12))


def made(chance, tags, currency="bcrt", amount=21_000):
    common = [
        Tag(TagChar.payment_hash, chance.randbytes(32).hex()),
        Tag(TagChar.payment_secret, chance.randbytes(32).hex()),
    ]
    invoice = bolt11.Bolt11(
        currency=currency,
        amount_msat=amount and bolt11.MilliSatoshi(amount),
        date=1_790_000_000 + chance.randrange(10**6),
        tags=Tags(common + tags),
    )
    return bolt11.encode(invoice, private_key=chance.randbytes(32).hex())


def hint(chance, hops):
    """Numbers below half their range: bolt11 reads them as signed."""
    return RouteHint(
        [
            Route(
                public_key=coincurve.PrivateKey(chance.randbytes(32)).public_key.format().hex(),
                short_channel_id=f"{chance.randrange(2**23)}x{chance.randrange(2**24)}x{chance.randrange(2**16)}",
                base_fee=chance.randrange(2**31),
                ppm_fee=chance.randrange(2**31),
                cltv_expiry_delta=chance.randrange(2**15),
            )
            for _ in range(hops)
        ]
    )
