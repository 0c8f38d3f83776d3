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
        let comma = UInt8(ascii: ",")
        let hops = forwardedFor.joined(separator: ",").utf8.split(separator: comma, omittingEmptySubsequences: false)
        for hop in hops.suffix(maximumHops).reversed() {
            guard trusted.contains(where: { $0.contains(client) }), let address = address(in: hop) else { break }
            client = address
        }
        return client
    }

    /// Reads `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1` or `[2001:db8::1]:80`.
    private static func address(in hop: Substring.UTF8View) -> IPAddress? {
        var text = hop.trimmed
        if text.first == UInt8(ascii: "[") {
            guard let end = text.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            return IPAddress(String(decoding: text[..<end].dropFirst(), as: UTF8.self))?.withoutMapping
        }
        let colon = UInt8(ascii: ":")
        if text.count(where: { $0 == colon }) == 1, let index = text.firstIndex(of: colon) { text = text[..<index] }
        return IPAddress(String(decoding: text, as: UTF8.self))?.withoutMapping
    }
}
