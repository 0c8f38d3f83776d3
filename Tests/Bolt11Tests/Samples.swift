import Bolt11
import LightningCoding
import LightningCrypto

/// The first example of BOLT 11: any amount, a donation.
let donation =
    "lnbc1pvjluezsp5zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygspp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rq"
    + "wzqfqypqdpl2pkx2ctnv5sxxmmwwd5kgetjypeh2ursdae8g6twvus8g6rfwvs8qun0dfjkxaq9qrsgq357wnc5r2ueh7ck6q93dj32dlqnls087f"
    + "xdwk8qakdyafkq3yap9us6v52vjjsrvywa6rt52cm9r9zqt8r2t7mlcwspyetp5h2tztugp9lfyql"

/// The key that signed the examples of BOLT 11.
func publishedKey() throws -> SecretKey {
    try SecretKey(Hexadecimal.decode("e126f68f7eafcc8b74f54d269fe206be715000f94dac067d1c04a8ca3b2db734"))
}

/// The node id of `publishedKey`.
func publishedNode() throws -> PublicKey {
    try PublicKey(hexadecimal: "03e7156ae33b0a208d0744199163177e909e80176e55d97a2f221ede0f934dd9ad")
}

/// A draft in which everything but the arguments is fixed.
func draft(
    amount: Millisatoshi? = Millisatoshi(21_000),
    timestamp: UnixTime = UnixTime(1_496_314_658),
    description: Bolt11Description = .text("1 cup coffee"),
    expiry: UInt64 = 3600,
    minFinalCLTVExpiryDelta: UInt64 = 18,
    features: Bolt11Features = Bolt11Features(required: [.variableLengthOnion, .paymentSecret]),
    payee: PublicKey? = nil,
    paymentMetadata: [UInt8]? = nil,
    fallbackAddresses: [FallbackAddress] = [],
    routeHints: [RouteHint] = []
) throws -> Bolt11Draft {
    Bolt11Draft(
        network: .regtest, amount: amount, timestamp: timestamp,
        paymentHash: try PaymentHash([UInt8](repeating: 7, count: 32)),
        paymentSecret: try PaymentSecret([UInt8](repeating: 0x11, count: 32)),
        description: description, expiry: expiry, minFinalCLTVExpiryDelta: minFinalCLTVExpiryDelta,
        features: features, payee: payee, paymentMetadata: paymentMetadata, fallbackAddresses: fallbackAddresses,
        routeHints: routeHints)
}
