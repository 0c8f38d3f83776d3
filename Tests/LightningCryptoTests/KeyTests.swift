import LightningCrypto
import Testing

@Suite("Keys", .timeLimit(.minutes(5)))
struct KeyTests {
    /// n, the order of the group (SEC 2, "secp256k1").
    static let order = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"
    static let orderMinusOne = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140"
    /// G, the generator (SEC 2).
    static let generator = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
    static let negatedGenerator = "0379be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"

    static func scalar(_ value: UInt8) -> [UInt8] {
        filled(0, count: 31) + [value]
    }

    @Test(
        "Published secret keys give their published public keys",
        arguments: [
            (String(repeating: "0", count: 63) + "1", generator),
            (orderMinusOne, negatedGenerator),
            // BOLT 8, Appendix A.
            (
                "1111111111111111111111111111111111111111111111111111111111111111",
                "034f355bdcb7cc0af728ef3cceb9615d90684bb5b2ca5f859ab0f0b704075871aa"
            ),
            (
                "1212121212121212121212121212121212121212121212121212121212121212",
                "036360e856310ce5d294e8be33fc807077dc56ac80d95d9cd4ddbd21325eff73f7"
            ),
            // BOLT 11, "Examples".
            (
                "e126f68f7eafcc8b74f54d269fe206be715000f94dac067d1c04a8ca3b2db734",
                "03e7156ae33b0a208d0744199163177e909e80176e55d97a2f221ede0f934dd9ad"
            ),
        ])
    func publicKeys(secret: String, expected: String) throws {
        let key = try SecretKey(hex(secret))
        #expect(key.publicKey.hexadecimal == expected)
        #expect(try key.publicKey == PublicKey(hexadecimal: expected))
        #expect("\(key.publicKey)" == expected)
    }

    @Test("Zero, n and what lies beyond are no secret keys")
    func scalarRange() throws {
        for bytes in [filled(0), try hex(Self.order), filled(0xFF)] {
            #expect(throws: CryptoFault.invalidSecretKey) { try SecretKey(bytes) }
        }
    }

    @Test("A secret key has 32 bytes", arguments: [0, 31, 33, 64])
    func secretLength(count: Int) {
        #expect(throws: CryptoFault.invalidLength(expected: 32, found: count)) {
            try SecretKey(filled(1, count: count))
        }
    }

    @Test("Secret keys are equal by value")
    func secretEquality() throws {
        #expect(try SecretKey(filled(1)) == SecretKey(filled(1)))
        #expect(try SecretKey(filled(1)) != SecretKey(filled(2)))
        #expect(try SecretKey(filled(1)).withBytes { Array($0) } == filled(1))
    }

    @Test("A key comes from the given randomness, and only from a whole and valid draw")
    func randomKeys() throws {
        #expect(try SecretKey(random: { count in filled(3, count: count) }) == SecretKey(filled(3)))
        #expect(throws: CryptoFault.invalidSecretKey) { try SecretKey(random: { count in filled(0, count: count) }) }
        #expect(throws: CryptoFault.invalidLength(expected: 32, found: 16)) {
            try SecretKey(random: { _ in filled(3, count: 16) })
        }
        #expect(throws: CryptoFault.entropyUnavailable) {
            try SecretKey(random: { (_) throws(CryptoFault) in throw .entropyUnavailable })
        }
        #expect(try SecretKey.random() != SecretKey.random())
    }

    @Test(
        "What is no compressed point is refused",
        arguments: [
            // x = 5 is on no point: 5³ + 7 is no square.
            "020000000000000000000000000000000000000000000000000000000000000005",
            // x = p, which would be 0 if it were reduced.
            "02fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f",
            // Prefixes of infinity, of the uncompressed and of the hybrid form, and none at all.
            "0079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
            "0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
            "0679be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
            "0179be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
            "zz79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
        ])
    func invalidPoints(text: String) {
        #expect(throws: CryptoFault.invalidPublicKey) { try PublicKey(hexadecimal: text) }
    }

    @Test("A public key has 33 bytes; the uncompressed form is refused", arguments: [0, 32, 34, 65])
    func publicLength(count: Int) {
        #expect(throws: CryptoFault.invalidLength(expected: 33, found: count)) {
            try PublicKey(filled(4, count: count))
        }
    }

    @Test("Public keys sort by their bytes, as BOLT 7 orders the nodes of a channel")
    func order() throws {
        let even = try PublicKey(hexadecimal: Self.generator)
        let odd = try PublicKey(hexadecimal: Self.negatedGenerator)
        #expect(even < odd)
        #expect(!(odd < even))
        #expect(Set([even, odd, even]).count == 2)
        #expect(even.xOnly == odd.xOnly)
        #expect(even.xOnly.bytes == Array(even.bytes.dropFirst()))
        #expect(try XOnlyPublicKey(even.xOnly.bytes) == even.xOnly)
    }
}

@Suite("Tweaks", .timeLimit(.minutes(5)))
struct TweakTests {
    @Test("Multiplying commutes with taking the public key")
    func multiplication() throws {
        let key = try SecretKey(filled(0x42))
        let tweaked = try key.tweaked(multiplyingBy: filled(0x17))
        #expect(try tweaked.publicKey == key.publicKey.tweaked(multiplyingBy: filled(0x17)))
        #expect(tweaked != key)
    }

    @Test("Small numbers multiply as numbers do")
    func smallNumbers() throws {
        let six = try SecretKey(KeyTests.scalar(6))
        #expect(try six.tweaked(multiplyingBy: KeyTests.scalar(7)) == SecretKey(KeyTests.scalar(42)))
    }

    @Test("A product by zero, or by n and beyond, is refused")
    func multiplicationRange() throws {
        let key = try SecretKey(filled(0x42))
        for tweak in [filled(0), try hex(KeyTests.order), filled(0xFF)] {
            #expect(throws: CryptoFault.invalidTweak) { try key.tweaked(multiplyingBy: tweak) }
            #expect(throws: CryptoFault.invalidTweak) { try key.publicKey.tweaked(multiplyingBy: tweak) }
        }
    }

    @Test("A tweak has 32 bytes", arguments: [0, 31, 33])
    func length(count: Int) throws {
        let key = try SecretKey(filled(0x42))
        let tweak = filled(1, count: count)
        let fault = CryptoFault.invalidLength(expected: 32, found: count)
        #expect(throws: fault) { try key.tweaked(multiplyingBy: tweak) }
        #expect(throws: fault) { try key.publicKey.tweaked(multiplyingBy: tweak) }
    }
}

@Suite("Diffie-Hellman", .timeLimit(.minutes(5)))
struct SharedSecretTests {
    struct Vector: Sendable {
        let secretKey: String
        let publicKey: String
        let secret: String
    }

    // BOLT 8, Appendix A, act one of the initiator; BOLT 4, route-blinding-test.json, hops Bob and Carol.
    static let published = [
        Vector(
            secretKey: "1212121212121212121212121212121212121212121212121212121212121212",
            publicKey: "028d7500dd4c12685d1f568b4c2b5048e8534b873319f3a8daa612b469132ec7f7",
            secret: "1e2fb3c8fe8fb9f262f649f64d26ecf0f2c0a805a767cf02dc2d77a6ef1fdcc3"),
        Vector(
            secretKey: "4242424242424242424242424242424242424242424242424242424242424242",
            publicKey: "024d4b6cd1361032ca9bd2aeb9d900aa4d45d9ead80ac9423374c451a7254d0766",
            secret: "76771bab0cc3d0de6e6f60147fd7c9c7249a5ced3d0612bdfaeec3b15452229d"),
        Vector(
            secretKey: "4343434343434343434343434343434343434343434343434343434343434343",
            publicKey: "034e09f450a80c3d252b258aba0a61215bf60dda3b0dc78ffb0736ea1259dfd8a0",
            secret: "dc91516ec6b530a3d641c01f29b36ed4dc29a74e063258278c0eeed50313d9b8"),
    ]

    @Test("The published shared secrets come out", arguments: published)
    func publishedSecrets(vector: Vector) throws {
        let key = try SecretKey(hex(vector.secretKey))
        let other = try PublicKey(hexadecimal: vector.publicKey)
        #expect(try key.sharedSecret(with: other).copiedBytes == hex(vector.secret))
    }

    @Test("The secret is the SHA-256 of the compressed product, whatever its parity")
    func bytes() throws {
        var prefixes: Set<UInt8> = []
        for value in UInt8(1)...16 {
            let key = try SecretKey(filled(value))
            let other = try SecretKey(filled(0x77)).publicKey
            let product = try other.tweaked(multiplyingBy: filled(value))
            let point = try key.sharedPoint(with: other)
            #expect(point.copiedBytes == product.bytes)
            #expect(try key.sharedSecret(with: other).copiedBytes == SHA256.hash(product.bytes))
            prefixes.insert(product.bytes[0])
        }
        #expect(prefixes == [2, 3])
    }

    @Test("Both sides come to the same secret, a third does not")
    func symmetry() throws {
        let one = try SecretKey(filled(1))
        let other = try SecretKey(filled(2))
        let third = try SecretKey(filled(3))
        #expect(try one.sharedSecret(with: other.publicKey) == other.sharedSecret(with: one.publicKey))
        #expect(try one.sharedSecret(with: other.publicKey) != third.sharedSecret(with: one.publicKey))
    }
}
