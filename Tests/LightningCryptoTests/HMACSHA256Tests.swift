import LightningCrypto
import Testing

@Suite("HMAC-SHA-256 and HKDF")
struct HMACSHA256Tests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let name: String
        let key: String
        let message: String
        let code: String

        var testDescription: String { name }
    }

    // RFC 4231 §4; of case 5 only the first 16 bytes are published.
    static let published = [
        Vector(
            name: "case 1", key: String(repeating: "0b", count: 20), message: "4869205468657265",
            code: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        Vector(
            name: "case 2, a key shorter than the hash", key: "4a656665",
            message: "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
            code: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        Vector(
            name: "case 3", key: String(repeating: "aa", count: 20), message: String(repeating: "dd", count: 50),
            code: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
        Vector(
            name: "case 4", key: "0102030405060708090a0b0c0d0e0f10111213141516171819",
            message: String(repeating: "cd", count: 50),
            code: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
        Vector(
            name: "case 5", key: String(repeating: "0c", count: 20),
            message: "546573742057697468205472756e636174696f6e", code: "a3b6167473100ee06e0c796c2955552b"),
        Vector(
            name: "case 6, a key longer than a block", key: String(repeating: "aa", count: 131),
            message: """
                54657374205573696e67204c6172676572205468616e20426c6f636b2d53697a65204b6579202d20
                48617368204b6579204669727374
                """,
            code: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
        Vector(
            name: "case 7, both longer than a block", key: String(repeating: "aa", count: 131),
            message: """
                5468697320697320612074657374207573696e672061206c6172676572207468616e20626c6f636b
                2d73697a65206b657920616e642061206c6172676572207468616e20626c6f636b2d73697a652064
                6174612e20546865206b6579206e6565647320746f20626520686173686564206265666f72652062
                65696e6720757365642062792074686520484d414320616c676f726974686d2e
                """,
            code: "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"),
    ]

    @Test("The published codes come out", arguments: published)
    func publishedCodes(vector: Vector) throws {
        let key = try hex(vector.key)
        let message = try hex(vector.message)
        let expected = try hex(vector.code)
        #expect(HMACSHA256.authenticate(message, key: key).starts(with: expected))
        #expect(HMACSHA256.deriveSecret(from: message, key: key).starts(with: expected))
    }

    @Test("A key of exactly one block is not hashed first, one byte more is")
    func blockBoundary() {
        let block = HMACSHA256.authenticate("m".utf8, key: filled(1, count: 64))
        let longer = HMACSHA256.authenticate("m".utf8, key: filled(1, count: 65))
        #expect(longer == HMACSHA256.authenticate("m".utf8, key: SHA256.hash(filled(1, count: 65))))
        #expect(block != HMACSHA256.authenticate("m".utf8, key: SHA256.hash(filled(1, count: 64))))
    }

    @Test("A keyed code is reusable and takes a message in two parts")
    func keyed() {
        let keyed = HMACSHA256.Keyed("key".utf8)
        let expected = HMACSHA256.authenticate("lightning".utf8, key: "key".utf8)
        #expect(keyed.authenticate("lightning".utf8) == expected)
        #expect(keyed.authenticate("light".utf8, "ning".utf8) == expected)
        #expect(keyed.authenticate("lightning".utf8) == expected)
        #expect(keyed.authenticate("lightninG".utf8) != expected)
    }

    @Test("A code is valid only whole and for its message and key")
    func validity() {
        let code = HMACSHA256.authenticate("message".utf8, key: "key".utf8)
        #expect(HMACSHA256.isValid(code, for: "message".utf8, key: "key".utf8))
        #expect(!HMACSHA256.isValid(code, for: "massage".utf8, key: "key".utf8))
        #expect(!HMACSHA256.isValid(code, for: "message".utf8, key: "kez".utf8))
        #expect(!HMACSHA256.isValid(code.dropLast(), for: "message".utf8, key: "key".utf8))
        for index in code.indices {
            var changed = code
            changed[index] ^= 1
            #expect(!HMACSHA256.isValid(changed, for: "message".utf8, key: "key".utf8))
        }
    }

    struct Derivation: Sendable, CustomTestStringConvertible {
        let name: String
        let inputKey: [UInt8]
        let salt: [UInt8]
        let info: [UInt8]
        let output: String

        var testDescription: String { name }
    }

    // RFC 5869 Appendix A.1 to A.3.
    static let derivations = [
        Derivation(
            name: "A.1 basic", inputKey: filled(0x0B, count: 22), salt: Array(0x00...0x0C), info: Array(0xF0...0xF9),
            output: "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"),
        Derivation(
            name: "A.2 longer than a hash", inputKey: Array(0x00...0x4F), salt: Array(0x60...0xAF),
            info: Array(0xB0...0xFF),
            output: """
                b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c
                59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71
                cc30c58179ec3e87c14c01d5c1f3434f1d87
                """),
        Derivation(
            name: "A.3 no salt, no info", inputKey: filled(0x0B, count: 22), salt: [], info: [],
            output: "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"),
    ]

    @Test("The published derivations come out", arguments: derivations)
    func publishedDerivations(vector: Derivation) throws {
        let expected = try hex(vector.output)
        let derived = try HKDFSHA256.derive(
            inputKey: vector.inputKey, salt: vector.salt, info: vector.info, count: expected.count)
        #expect(derived == expected)
    }

    @Test("A derivation ends at 255 hashes")
    func derivationLimit() throws {
        let most = HKDFSHA256.maximumCount
        #expect(try HKDFSHA256.derive(inputKey: [1], salt: [], info: [], count: most).count == most)
        #expect(try HKDFSHA256.derive(inputKey: [1], salt: [], info: [], count: 0) == [])
        #expect(throws: CryptoFault.invalidLength(expected: most, found: most + 1)) {
            try HKDFSHA256.derive(inputKey: [1], salt: [], info: [], count: most + 1)
        }
        #expect(throws: CryptoFault.invalidLength(expected: most, found: -1)) {
            try HKDFSHA256.derive(inputKey: [1], salt: [], info: [], count: -1)
        }
    }
}
