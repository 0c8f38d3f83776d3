import LightningCrypto
import Testing

@Suite("HMAC-SHA-256", .timeLimit(.minutes(5)))
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
        #expect(HMACSHA256.Keyed("key".utf8).isValid(code, for: "message".utf8))
        #expect(!HMACSHA256.Keyed("key".utf8).isValid(code, for: "massage".utf8))
        #expect(!HMACSHA256.Keyed("kez".utf8).isValid(code, for: "message".utf8))
        #expect(!HMACSHA256.Keyed("key".utf8).isValid(code.dropLast(), for: "message".utf8))
        for index in code.indices {
            var changed = code
            changed[index] ^= 1
            #expect(!HMACSHA256.Keyed("key".utf8).isValid(changed, for: "message".utf8))
        }
    }
}
