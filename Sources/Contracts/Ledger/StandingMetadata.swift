public import LightningCoding

/// The metadata text of an account at a moment, and when it was replaced.
public struct StandingMetadata: Hashable, Sendable {
    /// Its version.
    public let version: UInt64
    /// The text.
    public let text: String
    /// When the next version was stored; nil when there is none yet.
    public let replacedAt: UnixTime?

    /// Creates a value.
    public init(version: UInt64, text: String, replacedAt: UnixTime?) {
        self.version = version
        self.text = text
        self.replacedAt = replacedAt
    }
}
