public import LightningCoding
public import LightningCrypto

/// An unsigned invoice.
public struct Bolt11Draft: Sendable {
    /// The network to be paid on.
    public var network: Network
    /// The requested amount; nil for any amount.
    public var amount: Millisatoshi?
    /// When the invoice is created.
    public var timestamp: UnixTime
    /// The tagged fields, in order.
    public private(set) var fields: [Bolt11Field]

    /// Includes each field once, hints and addresses in the order given; no `x` for the default expiry, always a `c`,
    /// no `9` without features, an `n` only with a `payee`.
    ///
    /// `expiry` is in seconds, `minFinalCLTVExpiryDelta` in blocks.
    public init(
        network: Network,
        amount: Millisatoshi?,
        timestamp: UnixTime,
        paymentHash: PaymentHash,
        paymentSecret: PaymentSecret,
        description: Bolt11Description,
        expiry: UInt64 = Bolt11Contents.defaultExpiry,
        minFinalCLTVExpiryDelta: UInt64 = Bolt11Contents.defaultMinFinalCLTVExpiryDelta,
        features: Bolt11Features = Bolt11Features(required: [.variableLengthOnion, .paymentSecret]),
        payee: PublicKey? = nil,
        paymentMetadata: [UInt8]? = nil,
        fallbackAddresses: [FallbackAddress] = [],
        routeHints: [RouteHint] = []
    ) {
        self.network = network
        self.amount = amount
        self.timestamp = timestamp
        fields = [.paymentSecret(paymentSecret), .paymentHash(paymentHash)]
        switch description {
        case .text(let text): fields.append(.description(text))
        case .hash(let hash): fields.append(.descriptionHash(hash))
        }
        if let paymentMetadata { fields.append(.paymentMetadata(paymentMetadata)) }
        if let payee { fields.append(.payee(payee)) }
        if expiry != Bolt11Contents.defaultExpiry { fields.append(.expiry(expiry)) }
        fields.append(.minFinalCLTVExpiryDelta(minFinalCLTVExpiryDelta))
        fields += fallbackAddresses.map(Bolt11Field.fallbackAddress)
        fields += routeHints.map(Bolt11Field.routeHint)
        if !features.isEmpty { fields.append(.features(features)) }
    }

    /// The same contents, with all fields in their order.
    public init(_ contents: Bolt11Contents) {
        network = contents.network
        amount = contents.amount
        timestamp = contents.timestamp
        fields = contents.fields
    }

    /// Encodes and signs the invoice (RFC 6979: the same draft and key always give the same text). The result is not
    /// parsed again. Throws the rule that a reader would report, `timestampTooLarge`, `fieldTooLong` or
    /// `payeeIsNotSigner`.
    public func signed(by key: SecretKey) throws(Bolt11Fault) -> Bolt11Invoice {
        let contents = try checkedContents(signer: key.publicKey)
        let prefix = HumanReadablePart(network: network, amount: amount).text
        var writer = GroupWriter(capacity: 512)
        writer.write(timestamp.seconds, count: UnverifiedBolt11Invoice.timestampLength)
        for field in fields {
            try field.write(to: &writer)
        }
        let hash = signingHash(humanReadablePart: prefix, groups: writer.groups[...])
        guard let signature = try? key.recoverableSignature(of: hash) else { throw .invalidSignature }
        writer.write(bytes: signature.compact + CollectionOfOne(signature.recoveryID))
        let text = Bech32.encode(
            Bech32.Text(humanReadablePart: prefix, groups: writer.groups), checksum: .bech32)
        return Bolt11Invoice(text: text, contents: contents, payee: key.publicKey, signature: signature)
    }

    private func checkedContents(signer: PublicKey) throws(Bolt11Fault) -> Bolt11Contents {
        if let amount {
            guard amount > .zero else { throw .amountNotPositive }
            guard amount <= .maximum else { throw .amountTooLarge }
        }
        guard timestamp.seconds >> 35 == 0 else { throw .timestampTooLarge }
        for case .descriptionHash(let hash) in fields where hash.count != SHA256.byteCount {
            throw .invalidDescriptionHash
        }
        let contents = try Bolt11Contents(network: network, amount: amount, timestamp: timestamp, fields: fields)
        guard contents.statedPayee == nil || contents.statedPayee == signer else { throw .payeeIsNotSigner }
        return contents
    }
}
