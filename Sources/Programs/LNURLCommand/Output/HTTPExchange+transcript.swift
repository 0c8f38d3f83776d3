import Doctor
import LightningCoding
import OutboundHTTP

extension HTTPExchange {
    /// How many bytes of a body are shown at most.
    static let shownBodyBytes = 4096

    /// The exchange as lines for a terminal: `>` sent, `<` received, `*` about the transfer; secrets are replaced.
    ///
    /// - Parameter hidesPath: whether the last segment of the URL's path is a secret, as in a webhook's URL.
    func transcript(hidingPath hidesPath: Bool) -> [String] {
        var lines = [
            "> \(request.method.rawValue) \(target(hidingPath: hidesPath))", "> Host: \(request.url.authority)",
        ]
        lines += request.headers.map { "> " + Self.line($0) } + Self.lines(of: request.body, ">")
        switch outcome {
        case .success(let response):
            lines.append("< \(response.status)")
            lines += response.headers.map { "< " + Self.line($0) } + Self.lines(of: response.body, "<")
            lines.append("* \(response.timing)")
        case .failure(let fault):
            lines.append("* " + ToolFault.network(fault, request.url).reason)
        }
        // Servers repeat paths in redirects and in error pages. What is shorter is no secret, and may stand anywhere.
        guard hidesPath, let secret = request.url.path.split(separator: "/").last, secret.utf8.count >= 16 else {
            return lines.map(\.printable)
        }
        return lines.map { $0.replacing(secret, with: Redaction.mark).printable }
    }

    private func target(hidingPath hidesPath: Bool) -> String {
        var path = request.url.path
        // Servers take a path with a slash behind it for the same.
        if hidesPath, let end = path.lastIndex(where: { $0 != "/" }), let slash = path[...end].lastIndex(of: "/") {
            path = path[...slash] + Redaction.mark
        }
        return path + (request.url.query.map { "?" + Redaction.query($0) } ?? "")
    }

    private static func line(_ field: HTTPField) -> String {
        "\(field.name): \(field.isSecret ? Redaction.mark : field.value)"
    }

    /// A body after an empty line, or its length when it is not text.
    private static func lines(of body: [UInt8], _ mark: String) -> [String] {
        guard !body.isEmpty else { return [] }
        guard let text = text(body) else { return [mark, "\(mark) (\(body.count) bytes that are not text)"] }
        let shown = Redaction.members(of: text)
        var lines = [mark] + shown.split(separator: "\n", omittingEmptySubsequences: false).map { "\(mark) \($0)" }
        if body.count > shownBodyBytes { lines.append("\(mark) (the first \(shownBodyBytes) of \(body.count) bytes)") }
        return lines
    }

    /// The beginning of a UTF-8 body, without a character split at the end.
    private static func text(_ body: [UInt8]) -> String? {
        guard String(validating: body, as: UTF8.self) != nil else { return nil }
        let end = body.indices.prefix(shownBodyBytes + 1).last { body[$0] & 0xC0 != 0x80 } ?? 0
        return String(decoding: body.count > shownBodyBytes ? body[..<end] : body[...], as: UTF8.self)
    }
}
