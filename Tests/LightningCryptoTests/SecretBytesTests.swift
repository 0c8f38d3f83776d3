@testable import LightningCrypto
import Testing

@Suite("Secrets in memory", .timeLimit(.minutes(5)))
struct SecretBytesTests {
    @Test("The memory is zero when it is handed back")
    func wiped() {
        nonisolated(unsafe) var seen: [UInt8]?
        nonisolated(unsafe) var held: [UInt8] = []
        do {
            let secret = SecretBytes(zeroed: 48) { memory in
                seen = Array(memory)
                memory.deallocate()
            }
            secret.withBytes { bytes in
                UnsafeMutableRawBufferPointer(mutating: bytes).copyBytes(from: (1...48).map { UInt8($0) })
            }
            held = secret.copiedBytes
        }
        #expect(held == Array(1...48))
        #expect(seen == filled(0, count: 48))
    }

    @Test("A secret that fails while it is made hands nothing out")
    func failingFill() {
        #expect(throws: CryptoFault.invalidTweak) {
            try SecretBytes(count: 32) { (_) throws(CryptoFault) in throw .invalidTweak }
        }
    }

    @Test("Equality compares every byte and the length")
    func equality() {
        let secret = SecretBytes(filled(7))
        #expect(secret == SecretBytes(filled(7)))
        #expect(secret != SecretBytes(filled(7, count: 31)))
        for index in 0..<32 {
            var other = filled(7)
            other[index] ^= 0x80
            #expect(secret != SecretBytes(other))
        }
    }

    @Test("Constant-time equality agrees with plain equality")
    func constantTime() {
        #expect(ConstantTime.equal([1, 2, 3], [1, 2, 3]))
        #expect(ConstantTime.equal([], []))
        #expect(!ConstantTime.equal([1, 2, 3], [1, 2, 4]))
        #expect(!ConstantTime.equal([1, 2, 3], [0, 2, 3]))
        #expect(!ConstantTime.equal([1, 2, 3], [1, 2]))
        #expect(!ConstantTime.equal([], [0]))
        #expect(ConstantTime.equal(SecretBytes([9, 9]), [9, 9][...]))
    }

    @Test("It reads as a collection")
    func collection() {
        let secret = SecretBytes(1...5)
        #expect(secret.count == 5)
        #expect(secret.copiedBytes == [1, 2, 3, 4, 5])
        #expect(secret.map { $0 } == [1, 2, 3, 4, 5])
        #expect(SHA256.hash(secret) == SHA256.hash([1, 2, 3, 4, 5]))
        #expect(SecretBytes([]).copiedBytes == [])
    }

    @Test("No secret shows in text, in debug text or to reflection")
    func redacted() throws {
        let bytes = filled(0xAB)
        let secrets: [any Sendable] = [
            SecretBytes(bytes), try SecretKey(bytes), try Preimage(bytes), try PaymentSecret(bytes),
        ]
        for secret in secrets {
            var dumped = ""
            dump(secret, to: &dumped)
            for text in ["\(secret)", String(reflecting: secret), dumped, "\([secret])"] {
                #expect(text.contains("<secret"))
                #expect(!text.lowercased().contains("abab"))
                #expect(!text.contains("171"))
            }
        }
    }

    @Test("The system's random bytes have the wanted count and differ")
    func systemRandom() throws {
        #expect(try SystemRandom.bytes(0) == [])
        #expect(try SystemRandom.bytes(33).count == 33)
        #expect(try SystemRandom.bytes(32) != SystemRandom.bytes(32))
    }
}
