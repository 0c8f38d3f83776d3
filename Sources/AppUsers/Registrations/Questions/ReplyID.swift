import LightningCoding
package import LightningCrypto
package import ResponderModel

/// Names one question to a device, and is all that entitles to answer it: 64 random bits, written in decimal, as the last
/// segment of a reply URL.
package struct ReplyID: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    /// Parses the segment of a reply URL; nil when it is not a decimal number of 64 bits.
    package init?(_ segment: some StringProtocol) {
        guard let number = UInt64(digits: segment) else { return nil }
        self.number = number
    }

    /// What stands for it where others can read it.
    package var digest: ReplyDigest { ReplyDigest(of: number) }

    package init(random: RandomSource) throws(CryptoFault) {
        number = try random(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension ReplyID: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A placeholder: who reads a log must not be able to answer.
    package var description: String { "<reply id>" }

    /// The same.
    package var debugDescription: String { description }

    /// Shows nothing to reflection (`dump`, failed expectations).
    package var customMirror: Mirror { Mirror(self, children: []) }
}
