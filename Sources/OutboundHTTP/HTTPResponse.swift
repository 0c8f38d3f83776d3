import LightningCoding

/// A complete response.
public struct HTTPResponse: Hashable, Sendable {
    /// The status code as received, including 3xx, since redirects are not followed.
    public let status: Int
    /// Header fields in the order received.
    public let headers: [HTTPField]
    /// The body, never longer than the client's limit; empty when the request did not want it.
    public let body: [UInt8]
    /// The timing of the exchange.
    public let timing: HTTPTiming
}

/// Times within one exchange, measured from the start of the transfer.
public struct HTTPTiming: Hashable, Sendable {
    /// The host was resolved.
    public let resolved: Duration
    /// The connection was established; zero when one was reused.
    public let connected: Duration
    /// TLS was established; zero without TLS or on a reused connection.
    public let secured: Duration
    /// The first byte of the response arrived.
    public let firstByte: Duration
    /// The last byte of the response arrived.
    public let total: Duration
}

/// One finished exchange, successful or not, for a log or a person.
public struct HTTPExchange: Sendable {
    /// The request.
    public let request: HTTPRequest
    /// The response or fault.
    public let outcome: Result<HTTPResponse, OutboundFault>
}

extension HTTPTiming: CustomStringConvertible {
    /// `resolved 0.4 ms, connected 0.6 ms, first byte 3.1 ms, total 3.2 ms`; steps that did not happen are omitted.
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
