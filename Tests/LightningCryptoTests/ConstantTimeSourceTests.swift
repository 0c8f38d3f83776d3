import Foundation
import Testing

@Suite("How secrets are compared")
struct ConstantTimeSourceTests {
    private func source(_ path: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: "Sources/LightningCrypto/\(path)"), encoding: .utf8)
    }

    @Test(
        "Every secret type compares by OpenSSL's constant-time routine",
        arguments: [
            ("Memory/ConstantTime.swift", "CRYPTO_memcmp("),
            ("Memory/SecretBytes.swift", "ConstantTime.equal(one, other)"),
            ("Keys/SecretKey.swift", "one.storage.scalar == other.storage.scalar"),
            ("Payments/TypedSecret.swift", "one.secret == other.secret"),
            ("Hashing/HMACSHA256.swift", "ConstantTime.equal(authenticate(message), code)"),
        ])
    func constantTime(path: String, comparison: String) throws {
        #expect(try source(path).contains(comparison))
    }
}
