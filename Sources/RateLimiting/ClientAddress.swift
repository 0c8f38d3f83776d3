public import LightningCoding

/// Who asks, when reverse proxies may stand between.
public enum ClientAddress {
    /// How many addresses of `X-Forwarded-For` are looked at, from its end.
    public static let maximumHops = 16

    /// The address of the client.
    ///
    /// Every proxy appends the address of who connected to it to `X-Forwarded-For`; whatever stands left of what a trusted
    /// proxy wrote is the client's own invention. So the list is read from its end, as long as the one before is trusted.
    ///
    /// - Parameters:
    ///   - peer: who is connected to us.
    ///   - forwardedFor: the values of every field `X-Forwarded-For`, in order.
    ///   - trusted: whose word is taken; empty when nobody stands before us.
    public static func of(
        peer: IPAddress, forwardedFor: [String], trusting trusted: [NetworkPrefix]
    ) -> IPAddress {
        var client = peer.withoutMapping
        guard !trusted.isEmpty else { return client }
        let hops = forwardedFor.joined(separator: ",").split(separator: ",", omittingEmptySubsequences: false)
        for hop in hops.suffix(maximumHops).reversed() {
            guard trusted.contains(where: { $0.contains(client) }), let address = address(in: hop) else { break }
            client = address
        }
        return client
    }

    /// Reads `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1` or `[2001:db8::1]:80`.
    private static func address(in hop: Substring) -> IPAddress? {
        var text = hop.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { return nil }
            return IPAddress(String(text[text.index(after: text.startIndex)..<end]))?.withoutMapping
        }
        if text.count(where: { $0 == ":" }) == 1, let colon = text.firstIndex(of: ":") { text = text[..<colon] }
        return IPAddress(String(text))?.withoutMapping
    }
}
