package import LightningCoding
package import OutboundHTTP

/// A request that was sent, and what came of it.
package struct RecordedExchange: Sendable {
    package let request: HTTPRequest
    /// The answer, or why there is none.
    package let outcome: Result<RecordedAnswer, OutboundFault>

    package init(request: HTTPRequest, outcome: Result<RecordedAnswer, OutboundFault>) {
        self.request = request
        self.outcome = outcome
    }

    /// Why the service did not answer: no connection, or the status of a server that stands before it. Nil when it
    /// answered, or said when to ask again.
    package var silence: String? {
        switch outcome {
        case .failure(let fault): fault.reason
        case .success(let answer):
            [502, 503, 504].contains(answer.status) && answer.value(of: "Retry-After") == nil
                ? "status \(answer.status)" : nil
        }
    }
}

package struct RecordedField: Hashable, Sendable {
    package let name: String
    /// The value without surrounding white space.
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

package struct RecordedAnswer: Hashable, Sendable {
    package let status: Int
    package let headers: [RecordedField]
    package let body: [UInt8]
    /// From the start of the request to the last byte of the answer.
    package let duration: Duration

    package init(status: Int, headers: [RecordedField], body: [UInt8], duration: Duration = .zero) {
        self.status = status
        self.headers = headers
        self.body = body
        self.duration = duration
    }

    package init(_ response: HTTPResponse) {
        self.init(
            status: response.status, headers: response.headers.map { RecordedField($0.name, $0.value) },
            body: response.body, duration: response.timing.total)
    }

    package func values(of name: String) -> [String] {
        headers.filter { $0.name.lowercasedASCII.isExactly(name.lowercasedASCII) }.map(\.value)
    }

    package func value(of name: String) -> String? { values(of: name).first }

    /// How the body is encoded, by its header field; nil when it is not.
    var encoding: String? {
        value(of: "Content-Encoding").flatMap { ["", "identity"].contains($0.lowercased()) ? nil : $0 }
    }

    /// Whether the body cannot be judged, since it is encoded.
    var isUnreadable: Bool { encoding != nil && json == nil }

    /// The body as JSON; nil when it is not.
    package var json: JSONValue? { try? JSONValue(parsing: body) }
}
