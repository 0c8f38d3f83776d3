package import LightningCoding

/// The client's address, possibly behind reverse proxies.
package enum ClientAddress {
    /// How many addresses of `X-Forwarded-For` are read, from its end.
    package static let maximumHops = 16

    /// The address of the client.
    ///
    /// Every proxy appends the address of its peer to `X-Forwarded-For`; anything to the left of a trusted proxy's
    /// entry is unverified. So the list is read from its end, as long as the previous address is trusted.
    ///
    /// - Parameters:
    ///   - peer: the address connected to us.
    ///   - forwardedFor: the values of every `X-Forwarded-For` field, in order.
    ///   - trusted: the trusted proxies; empty when there are none.
    package static func of(
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
