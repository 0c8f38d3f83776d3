public import LightningCrypto

/// One tagged field (BOLT 11, "Tagged Fields").
public enum Bolt11Field: Equatable, Sendable {
    /// `p`: the SHA-256 of the preimage.
    case paymentHash(PaymentHash)
    /// `s`: the secret that the payer presents to the payee, hidden from forwarding nodes.
    case paymentSecret(PaymentSecret)
    /// `d`: what the payment is for.
    case description(String)
    /// `h`: the SHA-256 of what the payment is for, 32 bytes.
    case descriptionHash([UInt8])
    /// `m`: bytes that the payer passes to the payee with the payment.
    case paymentMetadata([UInt8])
    /// `n`: the payee's node id.
    case payee(PublicKey)
    /// `x`: seconds after the timestamp until which the invoice may be paid.
    case expiry(UInt64)
    /// `c`: the minimum CLTV delta of the last HTLC, in blocks.
    case minFinalCLTVExpiryDelta(UInt64)
    /// `f`: an on-chain address to pay if Lightning fails.
    case fallbackAddress(FallbackAddress)
    /// `r`: a route from a public node to the payee.
    case routeHint(RouteHint)
    /// `9`: the features that the payer needs or may use.
    case features(Bolt11Features)
    /// A field that readers skip: of an unknown type, an `f` of an unknown version, or a `p`, `s`, `h` or `n` of the
    /// wrong length. Kept as received, since the signature covers it. `type` is 0…31, `groups` has five bits each.
    case skipped(type: UInt8, groups: [UInt8])

    /// The defined field types; the raw value is the five-bit type.
    public enum Tag: UInt8, CaseIterable, Hashable, Sendable {
        /// `p`
        case paymentHash = 1
        /// `r`
        case routeHint = 3
        /// `9`
        case features = 5
        /// `x`
        case expiry = 6
        /// `f`
        case fallbackAddress = 9
        /// `d`
        case description = 13
        /// `s`
        case paymentSecret = 16
        /// `n`
        case payee = 19
        /// `h`
        case descriptionHash = 23
        /// `c`
        case minFinalCLTVExpiryDelta = 24
        /// `m`
        case paymentMetadata = 27

        /// The letter used in the specification: the type in the bech32 alphabet.
        public var letter: Character {
            switch self {
            case .paymentHash: "p"
            case .routeHint: "r"
            case .features: "9"
            case .expiry: "x"
            case .fallbackAddress: "f"
            case .description: "d"
            case .paymentSecret: "s"
            case .payee: "n"
            case .descriptionHash: "h"
            case .minFinalCLTVExpiryDelta: "c"
            case .paymentMetadata: "m"
            }
        }
    }
}
