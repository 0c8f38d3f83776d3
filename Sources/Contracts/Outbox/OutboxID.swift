import LightningCoding
public import LightningCrypto

/// The id of work in the outbox: 1 to 128 characters of `a-z 0-9 - _`.
public struct OutboxID: Hashable, Sendable, CustomStringConvertible {
    /// The characters.
    public let text: String

    /// Reads an id; nil when it is invalid.
    public init?(_ text: String) {
        guard (1...Self.maximumCount).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else {
            return nil
        }
        self.text = text
    }

    /// The maximum length, in bytes.
    public static let maximumCount = 128

    /// The id of the work that follows from an invoice's payment.
    public static func settlement(of paymentHash: PaymentHash) -> OutboxID {
        OutboxID(unchecked: "payment-" + paymentHash.hexadecimal)
    }

    /// The id of the work that cancels an invoice: the same when the node makes that invoice again. Half of the hash is
    /// enough, and fits.
    public static func mismatch(_ mismatch: InvoiceMismatch) -> OutboxID {
        OutboxID(unchecked: "mismatch-\(mismatch.backend)-\(mismatch.paymentHash.hexadecimal.prefix(32))")
    }

    /// A notification's id, of 128 random bits.
    public static func notification(random: RandomSource) throws(CryptoFault) -> OutboxID {
        OutboxID(unchecked: "notification-" + Hexadecimal.encode(try random(16)))
    }

    /// A push message's id, of 128 random bits.
    public static func push(random: RandomSource) throws(CryptoFault) -> OutboxID {
        OutboxID(unchecked: "push-" + Hexadecimal.encode(try random(16)))
    }

    private init(unchecked text: String) {
        self.text = text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// The characters.
    public var description: String { text }
}
