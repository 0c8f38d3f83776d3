/// What a kind of node can do.
public struct BackendCapabilities: Hashable, Sendable {
    /// The finest amount that the node can invoice.
    public enum Precision: Hashable, Sendable {
        case millisatoshi
        case wholeSatoshi
    }

    /// Whether amounts below a satoshi are possible.
    public var precision: Precision
    /// Whether the node takes a preimage of our choice, which a LUD-10 action needs.
    public var acceptsPreimage: Bool
    /// Whether an open invoice can be let go.
    public var cancels: Bool
    /// Whether a payment over a blinded path whose `path_id` is the BOLT11 payment secret is accepted: what BOLT12 in
    /// front of a node that only makes BOLT11 stands on.
    public var acceptsPaymentSecretAsPathID: Bool
    /// Whether settlements can be played by hand: true for the embedded node alone.
    public var settlesOnCommand: Bool

    /// Creates a set of capabilities.
    public init(
        precision: Precision,
        acceptsPreimage: Bool,
        cancels: Bool,
        acceptsPaymentSecretAsPathID: Bool,
        settlesOnCommand: Bool = false
    ) {
        self.precision = precision
        self.acceptsPreimage = acceptsPreimage
        self.cancels = cancels
        self.acceptsPaymentSecretAsPathID = acceptsPaymentSecretAsPathID
        self.settlesOnCommand = settlesOnCommand
    }
}
