public import LightningCoding
public import LightningCrypto

/// The contents of an invoice without its signature: fields that obey all rules for readers (BOLT 11, "Requirements"),
/// and what they mean together.
public struct Bolt11Contents: Equatable, Sendable {
    /// The network to pay on.
    public let network: Network
    /// The requested amount; nil for any amount.
    public let amount: Millisatoshi?
    /// When the invoice was created.
    public let timestamp: UnixTime
    /// Every tagged field, in the order of the invoice, including those that readers skip.
    public let fields: [Bolt11Field]

    /// The SHA-256 of the preimage that payment reveals.
    public let paymentHash: PaymentHash
    /// The secret that the payer presents to the payee.
    public let paymentSecret: PaymentSecret
    /// What the payment is for.
    public let description: Bolt11Description
    /// The node id stated in the invoice, which must then have signed it.
    public let statedPayee: PublicKey?
    /// Seconds after `timestamp` until which the invoice may be paid; 3600 by default.
    public let expiry: UInt64
    /// The minimum CLTV delta of the last HTLC, in blocks; 18 by default.
    public let minFinalCLTVExpiryDelta: UInt64
    /// Bytes that the payer passes to the payee with the payment.
    public let paymentMetadata: [UInt8]?
    /// The features that the payer needs or may use.
    public let features: Bolt11Features

    /// The default of `x`, in seconds.
    public static let defaultExpiry: UInt64 = 3600
    /// The default of `c`, in blocks.
    public static let defaultMinFinalCLTVExpiryDelta: UInt64 = 18

    /// On-chain addresses to pay if Lightning fails, in order of preference.
    public var fallbackAddresses: [FallbackAddress] {
        fields.compactMap { if case .fallbackAddress(let address) = $0 { address } else { nil } }
    }

    /// Routes from public nodes to the payee, in order of preference.
    public var routeHints: [RouteHint] {
        fields.compactMap { if case .routeHint(let hint) = $0 { hint } else { nil } }
    }

    /// The last second in which the invoice may be paid; saturates at 64 bits.
    public var expiresAt: UnixTime { timestamp.adding(seconds: expiry) }

    /// Whether the invoice may no longer be paid.
    public func isExpired(at now: UnixTime) -> Bool { now > expiresAt }
}

extension Bolt11Contents {
    /// If a field that the specification allows once is repeated, the first counts.
    init(network: Network, amount: Millisatoshi?, timestamp: UnixTime, fields: [Bolt11Field]) throws(Bolt11Fault) {
        var first = FirstOfEach()
        for field in fields {
            first.note(field)
        }
        guard let paymentHash = first.paymentHash else { throw .missingPaymentHash }
        guard let paymentSecret = first.paymentSecret else { throw .missingPaymentSecret }
        self.network = network
        self.amount = amount
        self.timestamp = timestamp
        self.fields = fields
        self.paymentHash = paymentHash
        self.paymentSecret = paymentSecret
        description =
            switch (first.description, first.descriptionHash) {
            case (let text?, nil): .text(text)
            case (nil, let hash?): .hash(hash)
            case (nil, nil): throw .missingDescription
            case (_?, _?): throw .descriptionAndDescriptionHash
            }
        statedPayee = first.payee
        expiry = first.expiry ?? Self.defaultExpiry
        minFinalCLTVExpiryDelta = first.minFinalCLTVExpiryDelta ?? Self.defaultMinFinalCLTVExpiryDelta
        paymentMetadata = first.paymentMetadata
        features = first.features ?? Bolt11Features(required: [])
        try features.check()
    }
}

private struct FirstOfEach {
    var paymentHash: PaymentHash?
    var paymentSecret: PaymentSecret?
    var description: String?
    var descriptionHash: [UInt8]?
    var payee: PublicKey?
    var expiry: UInt64?
    var minFinalCLTVExpiryDelta: UInt64?
    var paymentMetadata: [UInt8]?
    var features: Bolt11Features?

    mutating func note(_ field: Bolt11Field) {
        switch field {
        case .paymentHash(let value): paymentHash = paymentHash ?? value
        case .paymentSecret(let value): paymentSecret = paymentSecret ?? value
        case .description(let value): description = description ?? value
        case .descriptionHash(let value): descriptionHash = descriptionHash ?? value
        case .payee(let value): payee = payee ?? value
        case .expiry(let value): expiry = expiry ?? value
        case .minFinalCLTVExpiryDelta(let value): minFinalCLTVExpiryDelta = minFinalCLTVExpiryDelta ?? value
        case .paymentMetadata(let value): paymentMetadata = paymentMetadata ?? value
        case .features(let value): features = features ?? value
        case .fallbackAddress, .routeHint, .skipped: break
        }
    }
}

/// The description of the payment (`d` or `h`: exactly one of them).
public enum Bolt11Description: Hashable, Sendable {
    /// A text, at most 639 bytes of UTF-8.
    case text(String)
    /// The SHA-256 of a text that the payer has from elsewhere, 32 bytes; for LNURL-pay the metadata string (LUD-06).
    case hash([UInt8])

    /// Whether both are equal, byte by byte: a payer hashes the bytes.
    public static func == (one: Bolt11Description, other: Bolt11Description) -> Bool {
        switch (one, other) {
        case (.text(let one), .text(let other)): one.isExactly(other)
        case (.hash(let one), .hash(let other)): one == other
        case (.text, _), (.hash, _): false
        }
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .text(let text): hasher.combine(ExactText(text))
        case .hash(let bytes): hasher.combine(bytes)
        }
    }
}
