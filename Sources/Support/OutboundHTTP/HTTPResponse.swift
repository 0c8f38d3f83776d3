package struct HTTPResponse: Hashable, Sendable {
    /// The status code as received, including 3xx, since redirects are not followed.
    package let status: Int
    package let headers: [HTTPField]
    /// The body, never longer than the client's limit; empty when the request did not want it.
    package let body: [UInt8]
    package let timing: HTTPTiming

    package init(status: Int, headers: [HTTPField] = [], body: [UInt8], timing: HTTPTiming = HTTPTiming()) {
        self.status = status
        self.headers = headers
        self.body = body
        self.timing = timing
    }
}

/// Times within one exchange, measured from the start of the transfer.
package struct HTTPTiming: Hashable, Sendable {
    package let resolved: Duration
    /// The connection was established; zero when one was reused.
    package let connected: Duration
    /// TLS was established; zero without TLS or on a reused connection.
    package let secured: Duration
    /// The first byte of the response arrived.
    package let firstByte: Duration
    /// The last byte of the response arrived.
    package let total: Duration

    package init(
        resolved: Duration = .zero, connected: Duration = .zero, secured: Duration = .zero,
        firstByte: Duration = .zero, total: Duration = .zero
    ) {
        self.resolved = resolved
        self.connected = connected
        self.secured = secured
        self.firstByte = firstByte
        self.total = total
    }
}

/// One finished exchange, successful or not, for a log or a person.
package struct HTTPExchange: Sendable {
    package let request: HTTPRequest
    package let outcome: Result<HTTPResponse, OutboundFault>

    package init(request: HTTPRequest, outcome: Result<HTTPResponse, OutboundFault>) {
        self.request = request
        self.outcome = outcome
    }
}

extension HTTPTiming: CustomStringConvertible {
    /// `resolved 0.4 ms, connected 0.6 ms, first byte 3.1 ms, total 3.2 ms`; steps that did not happen are omitted.
    package var description: String {
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
