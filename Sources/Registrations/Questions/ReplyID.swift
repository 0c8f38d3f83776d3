import LightningCoding
public import LightningCrypto

/// Names one question to a device, and is all that entitles to answer it: 64 random bits, written in decimal, as the last
/// segment of a reply URL.
public struct ReplyID: Hashable, Sendable {
    /// The number.
    public let number: UInt64

    /// Creates one from a number.
    public init(_ number: UInt64) {
        self.number = number
    }

    /// Parses the segment of a reply URL; nil when it is not a decimal number of 64 bits.
    public init?(_ segment: some StringProtocol) {
        guard let number = UInt64(digits: segment) else { return nil }
        self.number = number
    }

    /// A new one.
    public init(random: RandomSource) throws(CryptoFault) {
        number = try random(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension ReplyID: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A placeholder: who reads a log must not be able to answer.
    public var description: String { "<reply id>" }

    /// The same.
    public var debugDescription: String { description }

    /// Shows nothing to reflection (`dump`, failed expectations).
    public var customMirror: Mirror { Mirror(self, children: []) }
}
