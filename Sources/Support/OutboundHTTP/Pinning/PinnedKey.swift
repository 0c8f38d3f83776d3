import LightningCoding
import LightningCrypto

/// The public key of a server with a self-signed certificate, stored as the SHA-256 of its DER SubjectPublicKeyInfo
/// (RFC 7469, section 2.4).
package struct PinnedKey: Hashable, Sendable {
    private let digest: [UInt8]

    /// Extracts the key of a certificate.
    ///
    /// - Parameter pem: the text of a certificate file (RFC 7468); the first certificate, the server's own, is used.
    package init(certificate pem: some Collection<UInt8>) throws(PinnedKeyFault) {
        let certificate = try PEMText.firstCertificate(in: String(decoding: pem, as: UTF8.self))
        digest = SHA256.hash(try Self.publicKeyInfo(in: certificate))
    }

    /// The key in libcurl's syntax.
    var text: String { "sha256//" + Base64.encode(digest) }

    /// The bytes of the field `subjectPublicKeyInfo`, including tag and length (RFC 5280, section 4.1).
    private static func publicKeyInfo(in certificate: [UInt8]) throws(PinnedKeyFault) -> [UInt8] {
        var outer = DERReader(certificate[...])
        var signed = DERReader(try outer.read(DERReader.sequence).contents)
        var fields = DERReader(try signed.read(DERReader.sequence).contents)
        if fields.nextTag == DERReader.version { _ = try fields.read(DERReader.version) }
        _ = try fields.read(DERReader.integer)
        // Signature algorithm, issuer, validity, subject.
        for _ in 0..<4 { _ = try fields.read(DERReader.sequence) }
        return Array(try fields.read(DERReader.sequence).whole)
    }
}

/// Why no key was found in a file.
package enum PinnedKeyFault: Error, Hashable, Sendable {
    /// No complete `-----BEGIN CERTIFICATE-----` block, or no base 64 in it.
    case noCertificate
    /// The content is not an X.509 certificate.
    case malformedCertificate
}

/// Certificates as text (RFC 7468).
enum PEMText {
    static func firstCertificate(in text: String) throws(PinnedKeyFault) -> [UInt8] {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " } }
        guard let begin = lines.firstIndex(where: { $0.hasPrefix("-----BEGIN CERTIFICATE-----") }),
            let end = lines[begin...].firstIndex(where: { $0.hasPrefix("-----END CERTIFICATE-----") })
        else { throw .noCertificate }
        return try rethrowing(Base64.decode(lines[(begin + 1)..<end].joined()), as: PinnedKeyFault.noCertificate)
    }
}

/// Reads consecutive DER values (X.690).
struct DERReader {
    static let integer: UInt8 = 0x02
    static let sequence: UInt8 = 0x30
    static let version: UInt8 = 0xA0

    private var bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    var nextTag: UInt8? { bytes.first }

    /// The next value, which must have this tag: its contents, and the whole value including tag and length.
    mutating func read(
        _ tag: UInt8
    ) throws(PinnedKeyFault) -> (contents: ArraySlice<UInt8>, whole: ArraySlice<UInt8>) {
        let whole = bytes
        guard bytes.popFirst() == tag, let first = bytes.popFirst() else { throw .malformedCertificate }
        var count = Int(first)
        if first >= 0x80 {
            let digits = bytes.prefix(Int(first & 0x7F))
            guard (1...3).contains(digits.count), digits.count == Int(first & 0x7F) else {
                throw .malformedCertificate
            }
            bytes = bytes.dropFirst(digits.count)
            count = digits.reduce(0) { $0 << 8 | Int($1) }
        }
        guard count <= bytes.count else { throw .malformedCertificate }
        let contents = bytes.prefix(count)
        bytes = bytes.dropFirst(count)
        return (contents, whole.prefix(upTo: contents.endIndex))
    }
}
