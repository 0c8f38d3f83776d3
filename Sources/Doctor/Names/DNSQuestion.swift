import LightningCoding

/// A question for the TXT records of a payment name (BIP-353), as a DNS message (RFC 1035, section 4).
struct DNSQuestion {
    let bytes: [UInt8]

    /// `<name>.user._bitcoin-payment.<domain>.`; nil when a label or the whole does not fit.
    init?(paymentName name: String, domain: String) {
        let labels = "\(name).user._bitcoin-payment.\(domain)".utf8.split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.allSatisfy({ (1...63).contains($0.count) }), labels.reduce(1, { $0 + 1 + $1.count }) <= 255 else {
            return nil
        }
        var writer = ByteWriter(capacity: 300)
        // No id, so that answers can be cached (RFC 8484, section 4.1); recursion desired, and the AD bit understood.
        writer.write([0, 0, 0x01, 0x20, 0, 1, 0, 0, 0, 0, 0, 1])
        for label in labels {
            writer.write([UInt8(label.count)])
            writer.write(Array(label))
        }
        // The root, TXT, IN; then an OPT record that takes 4096 bytes and signatures (RFC 6891, RFC 3225).
        writer.write([0, 0, 16, 0, 1])
        writer.write([0, 0, 41, 0x10, 0, 0, 0, 0x80, 0, 0, 0])
        bytes = writer.bytes
    }

    /// The message for a URL (RFC 8484, section 4.1): base64url without padding.
    var base64URL: String {
        String(Base64.encode(bytes).replacing("+", with: "-").replacing("/", with: "_").prefix { $0 != "=" })
    }
}
