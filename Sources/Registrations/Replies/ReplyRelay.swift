/// Takes a reply to the instance at which its payers wait, when several instances of the service share one ledger.
public protocol ReplyRelay: Sendable {
    /// Passes a reply on.
    ///
    /// - Returns: whether an instance had asked for it, and took it as the first.
    func deliver(_ reply: DeviceReply, to id: ReplyID) async -> Bool
}

/// A reply as a device has posted it.
public struct DeviceReply: Hashable, Sendable {
    /// The body, not yet read.
    public let body: [UInt8]
    /// For how many seconds it may be given again (`Cache-Control: max-age`); nil when it does not say.
    public let maxAge: UInt64?

    /// Creates a reply.
    public init(_ body: [UInt8], maxAge: UInt64? = nil) {
        self.body = body
        self.maxAge = maxAge
    }
}
