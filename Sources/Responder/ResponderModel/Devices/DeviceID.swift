import LightningCoding
package import LightningCrypto

/// What stands for a device in the URLs of webhooks, instead of its push token: 32 lower-case hexadecimal digits, drawn
/// at random. It can be revoked, and it says nothing.
package struct DeviceID: Hashable, Sendable, CustomStringConvertible {
    /// The 16 bytes.
    package let bytes: [UInt8]

    package init(random: RandomSource) throws(CryptoFault) {
        bytes = try random(Self.byteCount)
    }

    /// Exactly 16 bytes; nil for any other number.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Reads an id; nil when it is invalid.
    package init?(_ text: String) {
        guard let bytes = try? Hexadecimal.decode(text), text.isExactly(Hexadecimal.encode(bytes)) else { return nil }
        self.init(bytes)
    }

    private static let byteCount = 16

    package var description: String { Hexadecimal.encode(bytes) }
}

/// What an app calls one installation of itself: 1 to 64 characters of `A-Z a-z 0-9 - _`.
package struct InstallID: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// Reads an id; nil when it is invalid.
    package init?(_ text: String) {
        guard text.isWord(upTo: 64, capitals: true, or: "-_") else { return nil }
        self.text = text
    }

    package var description: String { text }
}
