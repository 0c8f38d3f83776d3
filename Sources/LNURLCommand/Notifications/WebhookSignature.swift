import LightningCoding
import LightningCrypto
import OutboundHTTP
import PrivateFiles

/// Proves to a webhook who notifies it: `X-Webhook-Signature`, the hexadecimal HMAC-SHA256 of the raw body.
struct WebhookSignature {
    private let key: SecretBytes

    private static let maximumCount = 1024

    /// Reads the key, in hexadecimal, from a file that is its owner's alone.
    init(keyIn path: String) throws(ToolFault) {
        let file = PrivateFile(path: path)
        let bytes: [UInt8]
        do throws(PrivateFileFault) {
            bytes = try file.contents(limit: Self.maximumCount)
        } catch .openToOthers {
            throw .openToOthers(path)
        } catch {
            throw .unreadable(path)
        }
        let digits = bytes.filter { !Character(Unicode.Scalar($0)).isWhitespace }
        guard !digits.isEmpty, let key = try? Hexadecimal.decode(String(decoding: digits, as: UTF8.self)) else {
            throw .signingKey
        }
        self.key = SecretBytes(key)
    }

    /// The field for a body.
    func field(for body: [UInt8]) throws(ToolFault) -> HTTPField {
        let code = HMACSHA256.authenticate(body, key: key)
        do {
            return try HTTPField("X-Webhook-Signature", Hexadecimal.encode(code))
        } catch {
            throw .signingKey
        }
    }
}
