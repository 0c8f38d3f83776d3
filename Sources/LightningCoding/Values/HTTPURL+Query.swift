extension HTTPURL {
    /// The query taken apart like a form: decoded, `+` is a space, in order. What cannot be decoded is kept as written.
    public var queryItems: [(name: String, value: String)] {
        (query ?? "").utf8.split(separator: UInt8(ascii: "&")).map { item in
            let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.decoded(Substring(parts[0])), parts.count == 2 ? Self.decoded(Substring(parts[1])) : "")
        }
    }

    /// The URL with more items after those that its query has, percent-encoded, in order.
    public func appendingQuery(_ items: [(name: String, value: String)]) -> HTTPURL {
        guard !items.isEmpty else { return self }
        let added = items.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }
        let present = query.flatMap { $0.isEmpty ? nil : $0 }.map { [$0] } ?? []
        return HTTPURL(
            scheme: scheme, host: host, port: port, path: path, query: (present + added).joined(separator: "&"))
    }

    /// The URL with more path after its own, one `/` between them. Characters that no path may contain are
    /// percent-encoded; `/` and `%` stay.
    public func appendingPath(_ suffix: String) -> HTTPURL {
        let base = path.hasSuffix("/") ? path.dropLast() : path[...]
        let added = PercentEncoding.encode(suffix.begins(with: "/") ? String(suffix.utf8.dropFirst()) ?? "" : suffix) {
            character in
            Self.isTargetCharacter(character) && character != UInt8(ascii: "?")
        }
        return HTTPURL(scheme: scheme, host: host, port: port, path: base + "/" + added, query: query)
    }

    private static func decoded(_ text: Substring) -> String {
        do {
            return try PercentEncoding.decode(text, plusIsSpace: true)
        } catch {
            return String(text)
        }
    }
}
