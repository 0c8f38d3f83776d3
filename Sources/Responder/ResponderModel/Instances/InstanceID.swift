import LightningCoding
package import LightningCrypto

/// The id of one run of the service: name, process and random digits, such as `pay1-4711-9f86d081`.
package struct InstanceID: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let text: String

    /// Reads an id: 1 to 128 visible ASCII characters; nil when it is invalid.
    package init?(_ text: String) {
        guard text.isVisibleASCII(upTo: 128) else { return nil }
        self.text = text
    }

    package init(name: InstanceName, process: Int32, random: RandomSource) throws(CryptoFault) {
        let digits = Hexadecimal.encode(try random(4))
        text = "\(name)-\(process)-\(digits)"
    }

    /// By the bytes.
    package static func < (one: InstanceID, other: InstanceID) -> Bool {
        one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }

    package var description: String { text }
}

/// What the operator calls an instance, as a rule the name of its machine: 1 to 64 characters of `A-Z a-z 0-9 . - _`.
package struct InstanceName: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package init?(_ text: String) {
        guard text.isWord(upTo: 64, capitals: true, or: ".-_") else { return nil }
        self.text = text
    }

    package static let unnamed = InstanceName(unchecked: "instance")

    private init(unchecked text: String) {
        self.text = text
    }

    package var description: String { text }
}
