public import LightningCoding

/// How an invoice request reached us.
public enum Arrival: Hashable, Sendable {
    /// As an onion message over the offer's path of that index.
    case viaPath(Int)
    /// As an onion message to the issuer's key, over no blinded path of ours.
    case direct
    /// From a forwarder that we know and that took it off a path for us: it alone answers for the way, the path rule is
    /// not applied. An offer without issuer id is then answered with the key of its first path.
    case forwarder
}

/// When and how an invoice request came in, and what the one who answers supports.
public struct RequestReception: Sendable {
    /// How it came.
    public var arrival: Arrival
    /// The current time.
    public var now: UnixTime
    /// The chains that we can be paid on.
    public var chains: Set<ChainHash>
    /// For offers in another currency; without it they are refused.
    public var converter: CurrencyConverter?
    /// How many times the expected amount may be requested; nil for any amount.
    public var greatestMultiple: UInt64?

    /// `greatestMultiple` is 5 unless given, as in Core Lightning.
    public init(
        arrival: Arrival, now: UnixTime, chains: Set<ChainHash>, converter: CurrencyConverter? = nil,
        greatestMultiple: UInt64? = 5
    ) {
        self.arrival = arrival
        self.now = now
        self.chains = chains
        self.converter = converter
        self.greatestMultiple = greatestMultiple
    }
}
