import CSecp256k1
@testable import LightningCrypto
import Testing

@Suite("The one context of libsecp256k1", .timeLimit(.minutes(5)))
struct CurveContextTests {
    @Test("An illegal argument is an answer, not the end of the process")
    func illegalArgument() {
        var zero = secp256k1_pubkey()
        var output = filled(0, count: 33)
        var count = output.count
        let outcome = secp256k1_ec_pubkey_serialize(
            Curve.context, &output, &count, &zero, UInt32(SECP256K1_EC_COMPRESSED))
        #expect(outcome == 0)
    }

    @Test("Many tasks at once get what one gets alone")
    func concurrency() async throws {
        let key = try SecretKey(filled(0x41))
        let expected = try (0..<64).map { try Answers(key: key, number: UInt8($0)) }
        let found = try await withThrowingTaskGroup(of: (Int, Answers).self) { group in
            for number in 0..<64 {
                group.addTask { (number, try Answers(key: key, number: UInt8(number))) }
            }
            return try await group.reduce(into: [Int: Answers]()) { $0[$1.0] = $1.1 }
        }
        for number in 0..<64 {
            #expect(found[number] == expected[number])
        }
    }

    @Test("The public key of one secret key is the same to all who ask first")
    func lazyKeypair() async throws {
        let expected = try PublicKey(hexadecimal: KeyTests.generator)
        for _ in 0..<50 {
            let key = try SecretKey(KeyTests.scalar(1))
            await withTaskGroup(of: PublicKey.self) { group in
                for _ in 0..<8 { group.addTask { key.publicKey } }
                for await found in group { #expect(found == expected) }
            }
        }
    }

    /// One of everything that uses the context.
    private struct Answers: Equatable, Sendable {
        let schnorr: SchnorrSignature
        let recoverable: RecoverableSignature
        let recovered: PublicKey
        let shared: [UInt8]
        let verified: Bool

        init(key: SecretKey, number: UInt8) throws {
            let hash = SHA256.hash([number])
            schnorr = try key.schnorrSignature(of: hash, auxiliaryRandom: filled(number))
            recoverable = try key.recoverableSignature(of: hash)
            recovered = try recoverable.recoveredPublicKey(of: hash)
            shared = try key.sharedSecret(with: key.publicKey.tweaked(multiplyingBy: hash)).copiedBytes
            verified = key.publicKey.verifies(schnorr, of: hash) && key.publicKey.verifies(recoverable.ecdsa, of: hash)
        }
    }
}
