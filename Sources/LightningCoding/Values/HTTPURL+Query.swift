extension HTTPURL {
    /// The query decoded like a form: `+` is a space; order is kept. What cannot be decoded is kept as written.
    public var queryItems: [(name: String, value: String)] {
        (query ?? "").utf8.split(separator: UInt8(ascii: "&")).map { item in
            let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.decoded(Substring(parts[0])), parts.count == 2 ? Self.decoded(Substring(parts[1])) : "")
        }
    }

    /// The URL with items appended to its query, percent-encoded, in order.
    public func appendingQuery(_ items: [(name: String, value: String)]) -> HTTPURL {
        guard !items.isEmpty else { return self }
        let added = items.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }
        let present = query.flatMap { $0.isEmpty ? nil : $0 }.map { [$0] } ?? []
        return HTTPURL(
            scheme: scheme, host: host, port: port, path: path, query: (present + added).joined(separator: "&"))
    }

    /// The URL with a suffix appended to its path, separated by one `/`. Characters not allowed in a path are
    /// percent-encoded; `/` and `%` are kept.
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
