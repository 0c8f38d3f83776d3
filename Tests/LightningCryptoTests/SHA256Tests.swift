import LightningCrypto
import Testing

@Suite("SHA-256", .timeLimit(.minutes(5)))
struct SHA256Tests {
    // FIPS 180-4 examples (NIST "SHA256.pdf") and the empty message.
    @Test(
        "The published hashes come out",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func publishedHashes(message: String, expected: String) throws {
        #expect(try SHA256.hash(message.utf8) == hex(expected))
    }

    @Test("A copy of a midstate goes its own way")
    func midstates() {
        var start = SHA256()
        start.update("light".utf8)
        var one = start
        var other = start
        one.update("ning".utf8)
        other.update("house".utf8)
        #expect(one.finalized() == SHA256.hash("lightning".utf8))
        #expect(other.finalized() == SHA256.hash("lighthouse".utf8))
        #expect(start.finalized() == SHA256.hash("light".utf8))
    }

    @Test("Finalizing does not end the value")
    func finalizedMayGoOn() {
        var hash = SHA256()
        hash.update("light".utf8)
        _ = hash.finalized()
        hash.update("ning".utf8)
        #expect(hash.finalized() == SHA256.hash("lightning".utf8))
    }

    @Test("Parts hash like their concatenation", arguments: [0, 1, 55, 56, 63, 64, 65, 200])
    func parts(split: Int) {
        let message = (0..<200).map { UInt8($0) }
        #expect(SHA256.hash(message[..<split], message[split...]) == SHA256.hash(message))
    }

    @Test("A collection that is not contiguous hashes like an array")
    func notContiguous() {
        #expect(SHA256.hash((0..<100).lazy.map { UInt8($0) }) == SHA256.hash((0..<100).map { UInt8($0) }))
    }

    @Test("A tagged hash starts with the tag's hash twice")
    func tagged() {
        let tag = SHA256.hash("LnLeaf".utf8)
        var hash = SHA256(taggedWith: "LnLeaf")
        hash.update("record".utf8)
        #expect(hash.finalized() == SHA256.hash(tag + tag + Array("record".utf8)))
        var other = SHA256(taggedWith: "LnBranch")
        other.update("record".utf8)
        #expect(other.finalized() != hash.finalized())
    }
}
