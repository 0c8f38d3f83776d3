public import LightningCoding

/// A URL in bech32, `lnurl1…` (LUD-01): BIP-173's checksum, without its limit of 90 characters.
public enum EncodedURL {
    /// The human-readable part.
    public static let humanReadablePart = "lnurl"

    /// The longest text that is parsed, in characters.
    public static let maximumCount = 20_000

    /// Encodes a URL; in upper case for QR codes, which then use their denser alphanumeric mode.
    public static func encode(_ url: HTTPURL, upper: Bool = false) -> String {
        let groups = Bech32.groups(fromBytes: url.text.utf8)
        let text = Bech32.encode(
            .init(humanReadablePart: humanReadablePart, groups: groups),
            checksum: .bech32
        )
        return upper ? text.uppercased() : text
    }

    /// Decodes a text in either case, but not mixed, to an allowed URL.
    public static func decode(_ text: some StringProtocol) throws(TargetFault) -> HTTPURL {
        let content = try decodeText(text)
        let url = try rethrowing(HTTPURL(content), as: TargetFault.url)
        guard URLPolicy.allows(url) else { throw .clearnetHTTP }
        return url
    }

    /// The decoded text, whether or not it is a URL.
    public static func decodeText(_ text: some StringProtocol) throws(TargetFault) -> String {
        guard !text.isEmpty else { throw .empty }
        let (prefix, bytes) = try rethrowing(payload(of: text), as: TargetFault.bech32)
        guard prefix == humanReadablePart else { throw .wrongPrefix(prefix) }
        guard let content = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        return content
    }

    private static func payload(of text: some StringProtocol) throws(CodingFault) -> (String, [UInt8]) {
        let decoded = try Bech32.decode(text, checksum: .bech32, maximumLength: maximumCount)
        return (decoded.humanReadablePart, try Bech32.bytes(fromGroups: decoded.groups))
    }
}
