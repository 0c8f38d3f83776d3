public import LightningCoding

/// How an invoice reached the payer.
public enum InvoiceArrival: Hashable, Sendable {
    /// As an onion message over the request's reply path.
    case viaReplyPath
    /// As an onion message over the path with this index in `invreq_paths`.
    case viaRequestPath(Int)
    /// As an onion message without a blinded path.
    case direct
    /// Outside Lightning: in an HTTP response, or by hand. The path rules are not applied.
    case outsideLightning
}

/// When and how an invoice arrived, and what the payer supports.
public struct InvoiceReception: Sendable {
    /// How it arrived.
    public var arrival: InvoiceArrival
    /// The current time.
    public var now: UnixTime
    /// The chains that we can pay on.
    public var chains: Set<ChainHash>
    /// The offer's path over which the request was sent; nil when unknown, and any is accepted.
    public var sentToPath: Int?
    /// The range of amounts that the payer authorizes; nil for the requested amount only.
    public var authorized: ClosedRange<Millisatoshi>?

    /// Creates a reception.
    public init(
        arrival: InvoiceArrival, now: UnixTime, chains: Set<ChainHash>, sentToPath: Int? = nil,
        authorized: ClosedRange<Millisatoshi>? = nil
    ) {
        self.arrival = arrival
        self.now = now
        self.chains = chains
        self.sentToPath = sentToPath
        self.authorized = authorized
    }
}
