import LightningCoding
package import LightningCrypto

/// The id of work in the outbox: 1 to 128 characters of `a-z 0-9 - _`.
package struct OutboxID: Hashable, Sendable, CustomStringConvertible {
    /// The characters.
    package let text: String

    /// Reads an id; nil when it is invalid.
    package init?(_ text: String) {
        guard (1...Self.maximumCount).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else {
            return nil
        }
        self.text = text
    }

    /// The maximum length, in bytes.
    package static let maximumCount = 128

    /// The id of the work that follows from an invoice's payment.
    package static func settlement(of paymentHash: PaymentHash) -> OutboxID {
        OutboxID(unchecked: "payment-" + paymentHash.hexadecimal)
    }

    /// The id of the work that cancels an invoice: the same when the node makes that invoice again. Half of the hash is
    /// enough, and fits.
    package static func mismatch(_ mismatch: InvoiceMismatch) -> OutboxID {
        OutboxID(unchecked: "mismatch-\(mismatch.backend)-\(mismatch.paymentHash.hexadecimal.prefix(32))")
    }

    /// A notification's id, of 128 random bits.
    package static func notification(random: RandomSource) throws(CryptoFault) -> OutboxID {
        OutboxID(unchecked: "notification-" + Hexadecimal.encode(try random(16)))
    }

    /// An id that goes on with 128 random bits; nil when the beginning is none of an id.
    ///
    /// - Parameters:
    ///   - beginning: the same for all work that is counted together.
    ///   - random: draws the bits.
    package init?(_ beginning: String, random: RandomSource) throws(CryptoFault) {
        self.init(beginning + Hexadecimal.encode(try random(16)))
    }

    /// The id of telling a device of a message.
    package static func message(_ sequence: UInt64, to device: DeviceID) -> OutboxID {
        OutboxID(unchecked: "message-\(device)-\(sequence)")
    }

    /// The id of waking a device, and of the alert that follows in time. Half of the hash of the wake's own id fits.
    package static func wake(_ id: some StringProtocol, of device: DeviceID) -> OutboxID {
        OutboxID(unchecked: "wake-\(device)-\(digest(id))")
    }

    /// The id of the alert that follows at once on a wake which the device could not handle.
    package static func wakeAlert(_ id: some StringProtocol, of device: DeviceID) -> OutboxID {
        OutboxID(unchecked: "wake-alert-\(device)-\(digest(id))")
    }

    /// The id of what says that nothing more follows on a wake.
    package static func wakeEnd(_ id: some StringProtocol, of device: DeviceID) -> OutboxID {
        OutboxID(unchecked: "wake-end-\(device)-\(digest(id))")
    }

    private static func digest(_ text: some StringProtocol) -> String {
        Hexadecimal.encode(SHA256.hash(text.utf8).prefix(16))
    }

    /// The id of telling an account's owner of a payment.
    package static func ownerPayment(_ paymentHash: PaymentHash) -> OutboxID {
        OutboxID(unchecked: "owner-" + paymentHash.hexadecimal)
    }

    /// The id of telling the owner of a registration that it was removed.
    package static func registrationRemoval(_ id: RegistrationID) -> OutboxID {
        OutboxID(unchecked: "removal-" + digest("\(id.key.hexadecimal)@\(id.domain)"))
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
    package var description: String { text }
}
