public import LightningCoding

/// How an invoice reached the payer.
public enum InvoiceArrival: Hashable, Sendable {
    /// As an onion message over the reply path of the request.
    case viaReplyPath
    /// As an onion message over the path of that index in `invreq_paths`.
    case viaRequestPath(Int)
    /// As an onion message over no blinded path.
    case direct
    /// Outside Lightning: in the answer of a web server, by hand. The rules about the way are not applied.
    case outsideLightning
}

/// When and how an invoice came in, and what its payer supports.
public struct InvoiceReception: Sendable {
    /// How it came.
    public var arrival: InvoiceArrival
    /// The current time.
    public var now: UnixTime
    /// The chains that we can pay on.
    public var chains: Set<ChainHash>
    /// Which of the offer's paths the request was sent to; nil when that is not known, and any of them will do.
    public var sentToPath: Int?
    /// What the payer wants to pay at least and at most; nil for what was requested only.
    public var authorized: ClosedRange<Millisatoshi>?

    /// A reception of all its values.
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
