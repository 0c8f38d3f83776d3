import LightningCoding

/// A complete answer.
public struct HTTPResponse: Hashable, Sendable {
    /// The status code as received; 3xx too, since redirects are not followed.
    public let status: Int
    /// Header fields in the order received.
    public let headers: [HTTPField]
    /// The body, never longer than the client's limit; empty when the request did not want it.
    public let body: [UInt8]
    /// How long the steps took.
    public let timing: HTTPTiming
}

/// Moments of one exchange, each counted from the moment at which the transfer began.
public struct HTTPTiming: Hashable, Sendable {
    /// The host's addresses were known.
    public let resolved: Duration
    /// The connection stood; zero when an open one was reused.
    public let connected: Duration
    /// TLS was agreed; zero without TLS or on a reused connection.
    public let secured: Duration
    /// The first byte of the answer was there.
    public let firstByte: Duration
    /// The last byte of the answer was there.
    public let total: Duration
}

/// One exchange as it happened, for a log or a person; made when it is over, well or not.
public struct HTTPExchange: Sendable {
    /// What was sent.
    public let request: HTTPRequest
    /// What came back.
    public let outcome: Result<HTTPResponse, OutboundFault>
}

extension HTTPTiming: CustomStringConvertible {
    /// `resolved 0.4 ms, connected 0.6 ms, first byte 3.1 ms, total 3.2 ms`; steps that did not take place are left out.
    public var description: String {
        let steps = [
            ("resolved", resolved), ("connected", connected), ("secured", secured), ("first byte", firstByte),
            ("total", total),
        ]
        return steps.filter { $0.1 > .zero }.map { "\($0.0) \(Self.milliseconds($0.1))" }.joined(separator: ", ")
    }

    private static func milliseconds(_ duration: Duration) -> String {
        let tenths = duration / .microseconds(100)
        return "\((tenths.rounded()) / 10) ms"
    }
}
