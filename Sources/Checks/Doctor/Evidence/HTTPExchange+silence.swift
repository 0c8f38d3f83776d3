import LightningCoding
package import OutboundHTTP

extension HTTPExchange {
    /// Why the service did not answer: no connection, or the status of a server that stands before it. Nil when it
    /// answered, or said when to ask again.
    package var silence: String? {
        switch outcome {
        case .failure(let fault): fault.reason
        case .success(let answer):
            [502, 503, 504].contains(answer.status) && answer.headers.first(named: "Retry-After") == nil
                ? "status \(answer.status)" : nil
        }
    }
}

extension HTTPResponse {
    var isRedirect: Bool { (300...399).contains(status) }

    func values(of name: String) -> [String] { headers.filter { $0.isNamed(name) }.map(\.value) }

    /// How the body is encoded, by its header field; nil when it is not.
    var encoding: String? {
        headers.first(named: "Content-Encoding").flatMap { ["", "identity"].contains($0.lowercased()) ? nil : $0 }
    }

    /// Whether the body cannot be judged, since it is encoded.
    var isUnreadable: Bool { encoding != nil && json == nil }

    var json: JSONValue? { try? JSONValue(parsing: body) }
}
