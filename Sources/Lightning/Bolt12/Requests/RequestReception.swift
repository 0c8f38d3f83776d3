public import LightningCoding

/// How an invoice request reached us.
public enum Arrival: Hashable, Sendable {
    /// As an onion message over the offer's path with this index.
    case viaPath(Int)
    /// As an onion message to the issuer's key, without a blinded path of ours.
    case direct
    /// From a known forwarder that received it over a path on our behalf: it alone is responsible for the path, so the
    /// path rule is not applied. An offer without issuer id is then answered with the key of its first path.
    case forwarder
}

/// When and how an invoice request arrived, and what the answering side supports.
public struct RequestReception: Sendable {
    /// How it arrived.
    public var arrival: Arrival
    /// The current time.
    public var now: UnixTime
    /// The chains that we can be paid on.
    public var chains: Set<ChainHash>
    /// For offers in another currency, which are refused without it.
    public var converter: CurrencyConverter?
    /// The largest allowed multiple of the expected amount; nil for unlimited.
    public var greatestMultiple: UInt64?

    /// `greatestMultiple` is 5 by default, as in Core Lightning.
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
