import LightningCoding
import LightningCrypto
import Testing

@Suite("Signed Lightning messages", .timeLimit(.minutes(5)))
struct LightningMessageTests {
    struct Vector: Sendable {
        let message: String
        let signature: String
        let publicKey: String
    }

    // Core Lightning, tests/test_misc.py (test_signmessage): signatures that users made with LND.
    static let published = [
        Vector(
            message: "is this compatible?",
            signature: """
                rbgfioj114mh48d8egqx8o9qxqw4fmhe8jbeeabdioxnjk8z3t1ma1hu1fiswpakgucwwzwo6ofycffbsqusqdimugbh41n1g698hr9t
                """,
            publicKey: "02b80cabdf82638aac86948e4c06e82064f547768dcef977677b9ea931ea75bab5"),
        Vector(
            message: "hi",
            signature: """
                rnrphcjswusbacjnmmmrynh9pqip7sy5cx695h6mfu64iac6qmcmsd8xnsyczwmpqp9shqkth3h4jmkgyqu5z47jfn1q7gpxtaqpx4xg
                """,
            publicKey: "02de60d194e1ca5947b59fe8e2efd6aadeabfb67f2e89e13ae1a799c1e08e4a43b"),
        Vector(
            message: "hi",
            signature: """
                ry8bbsopmduhxy3dr5d9ekfeabdpimfx95kagdem7914wtca79jwamtbw4rxh69hg7n6x9ty8cqk33knbxaqftgxsfsaeprxkn1k48p3
                """,
            publicKey: "022b8ece90ee891cbcdac0c1cc6af46b73c47212d8defbce80265ac81a6b794931"),
    ]

    @Test("Published signatures give their signers", arguments: published)
    func recovering(vector: Vector) throws {
        let signer = try PublicKey(hexadecimal: vector.publicKey)
        #expect(try LightningMessage.recover(vector.signature, message: vector.message) == signer)
        #expect(LightningMessage.verifies(vector.signature, message: vector.message, by: signer))
        #expect(!LightningMessage.verifies(vector.signature, message: vector.message + "!", by: signer))
    }

    @Test("A published signature of a known key comes out")
    func signing() throws {
        // rust-lightning, lightning/src/util/message_signing.rs: the key is 1.
        let one = try SecretKey(KeyTests.scalar(1))
        let ofTheTest = """
            d9tibmnic9t5y41hg7hkakdcra94akas9ku3rmmj4ag9mritc8ok4p5qzefs78c9pqfhpuftqqzhydbdwfg7u6w6wdxcqpqn4sj4e73e
            """
        #expect(try LightningMessage.sign("test message", with: one) == ofTheTest)
        // What a registration of an address sends: breez-lnurl, run with this key and text.
        let key = try SecretKey(filled(0x11))
        let ofTheRegistration = """
            rbbickhu59wtngj48q6cy84cks7b57qa9ncjmak6juw4n7uix1mws8tckof1uey7kwunah6niip6g3gpiic69w6unoo4zx3e8jrircq7
            """
        #expect(try LightningMessage.sign("1700000000-https://h/x-alice", with: key) == ofTheRegistration)
    }

    @Test("Text is signed as its UTF-8 bytes")
    func bytes() throws {
        let key = try SecretKey(filled(0x11))
        let hash = SHA256.hash(SHA256.hash("Lightning Signed Message:Café ⚡".utf8))
        let signature = try key.recoverableSignature(of: hash)
        let text = ZBase32.encode([31 + signature.recoveryID] + signature.compact)
        #expect(try LightningMessage.sign("Café ⚡", with: key) == text)
    }

    @Test("A header of an uncompressed key, an unknown one and other lengths are refused")
    func malformed() throws {
        let key = try SecretKey(filled(0x11))
        let bytes = try ZBase32.decode(LightningMessage.sign("hi", with: key))
        for header in [0, 27, 30, 35, 255] as [UInt8] {
            #expect(throws: CryptoFault.invalidSignature) {
                try LightningMessage.recover(ZBase32.encode([header] + bytes.dropFirst()), message: "hi")
            }
        }
        for wrong in ["", "y", ZBase32.encode(bytes.dropLast()), ZBase32.encode(bytes + [0]), "not zbase32: lv02"] {
            #expect(throws: CryptoFault.invalidSignature) { try LightningMessage.recover(wrong, message: "hi") }
            #expect(!LightningMessage.verifies(wrong, message: "hi", by: key.publicKey))
        }
    }
}
