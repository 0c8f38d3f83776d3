import Bolt12
import LightningCoding
import LightningCrypto

/// What the resolver of the tests answers: one record with an offer.
struct ServedDNS: Sendable {
    var code: UInt8 = 0
    var flags: UInt8 = 0x20
    var timeToLive: UInt32 = 300
    var records = ["bitcoin:?lno=" + Self.offer(expiresAt: nil)]

    static func offer(expiresAt expiry: UnixTime?) -> String {
        var fields = OfferFields()
        fields.absoluteExpiry = expiry
        fields.issuerID = try? SecretKey([UInt8](repeating: 5, count: 32)).publicKey
        return (try? Offer(fields).text) ?? ""
    }

    /// The answer to a question (RFC 1035).
    var message: [UInt8] {
        var writer = ByteWriter()
        writer.write([0, 0, 0x81, 0x80 | flags | code, 0, 1, 0, UInt8(records.count), 0, 0, 0, 0])
        writer.write([5] + Array("alice".utf8) + [0, 0, 16, 0, 1])
        for record in records {
            let strings = Array(record.utf8).chunks(of: 255)
            writer.write([0xC0, 12, 0, 16, 0, 1])
            writer.writeUInt32(timeToLive)
            writer.writeUInt16(UInt16(strings.reduce(0) { $0 + 1 + $1.count }))
            for string in strings { writer.write([UInt8(string.count)] + string) }
        }
        return writer.bytes
    }
}

extension [UInt8] {
    fileprivate func chunks(of size: Int) -> [[UInt8]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
