import LightningCoding
import OutboundHTTP

/// A recorded exchange as it is shown: shortened, with secrets replaced.
struct ExchangeText {
    /// How many characters of a URL, and of a body, are shown.
    private static let shownURL = 400
    private static let shownBody = 2000

    let probe: Probe
    /// `GET https://example.com/…`
    let request: String
    let sentBody: String?
    /// `200`, or why there was no answer.
    let status: String
    let headers: [String]
    let body: String?
    /// How long the answer took, in milliseconds; nil without one.
    let milliseconds: Int64?

    init(_ probe: Probe, _ exchange: HTTPExchange) {
        self.probe = probe
        let url = exchange.request.url
        let query = url.query.map { "?" + Redaction.query($0) } ?? ""
        let named = exchange.request.namedFor.map { " (Host: \($0.authority))" } ?? ""
        let target = "\(url.scheme.rawValue)://\(url.authority)\(url.path)\(query)"
        request = "\(exchange.request.method.rawValue) \(target.shortened(to: Self.shownURL))\(named)".printable
        sentBody = Self.text(of: exchange.request.body)
        switch exchange.outcome {
        case .success(let answer):
            status = "\(answer.status)"
            headers = answer.headers.map { "\($0.name): \($0.value.shortened(to: Self.shownURL))".printable }
            body = Self.text(of: answer.body)
            milliseconds = answer.timing.total.milliseconds
        case .failure(let fault):
            (status, headers, body, milliseconds) = (fault.reason, [], nil, nil)
        }
    }

    /// The answer in one line: `200, application/json: {"tag":…`
    var answerLine: String {
        let type = headers.first { $0.lowercased().hasPrefix("content-type: ") }.map { ", " + $0.dropFirst(14) } ?? ""
        return status + type + (body.map { ": " + $0.shortened(to: 160) } ?? "")
    }

    private static func text(of body: [UInt8]) -> String? {
        guard !body.isEmpty else { return nil }
        guard let text = String(validating: body.prefix(1 << 16), as: UTF8.self) else {
            return "(\(body.count) bytes that are not text)"
        }
        return Redaction.members(of: text).shortened(to: shownBody).printable
    }
}

extension String {
    /// At most so many Unicode scalars, with a mark for what is left out.
    package func shortened(to count: Int) -> String {
        let end = unicodeScalars.index(startIndex, offsetBy: count, limitedBy: endIndex) ?? endIndex
        return end == endIndex ? self : String(unicodeScalars[..<end]) + "…"
    }
}
