import LightningCoding
import LightningCrypto
import Testing

/// A signature's other form, s replaced by n - s.
func negatedS(_ compact: [UInt8]) throws -> [UInt8] {
    var result = compact
    var borrow = 0
    for (index, digit) in try hex(KeyTests.order).enumerated().reversed() {
        let difference = Int(digit) - Int(compact[32 + index]) - borrow
        result[32 + index] = UInt8(truncatingIfNeeded: difference)
        borrow = difference < 0 ? 1 : 0
    }
    return result
}

@Suite("ECDSA signatures", .timeLimit(.minutes(5)))
struct ECDSASignatureTests {
    // LUD-04, "Example".
    static let challenge = "e2af6254a8df433264fa23f67eb8188635d15ce883e8fc020989d5f82ae6f11e"
    static let linkingKey = "02c3b844b8104f0c1b15c507774c9ba7fc609f58f343b9b149122e944dd20c9362"
    static let der = """
        304402203767faf494f110b139293d9bab3c50e07b3bf33c463d4aa767256cd09132dc51
        02205821f8efacdb5c595b92ada255876d9201e126e2f31a140d44561cc1f7e9e43d
        """

    @Test("LUD-04's signature verifies and reads and writes as DER")
    func lud04() throws {
        let signature = try ECDSASignature(der: hex(Self.der))
        let key = try PublicKey(hexadecimal: Self.linkingKey)
        #expect(try key.verifies(signature, of: hex(Self.challenge)))
        #expect(try signature.der == hex(Self.der))
        #expect(try ECDSASignature(compact: signature.compact) == signature)
        #expect(signature.isLowS)
    }

    @Test("LUD-04's signature fails for another challenge and another key")
    func lud04Neighbors() throws {
        let signature = try ECDSASignature(der: hex(Self.der))
        let key = try PublicKey(hexadecimal: Self.linkingKey)
        #expect(try !key.verifies(signature, of: SHA256.hash(hex(Self.challenge))))
        #expect(try !PublicKey(hexadecimal: KeyTests.generator).verifies(signature, of: hex(Self.challenge)))
    }

    @Test("A signature made here verifies, and its high-S form does not")
    func highS() throws {
        let key = try SecretKey(filled(0x41))
        let hash = SHA256.hash("message".utf8)
        let signature = try key.ecdsaSignature(of: hash)
        #expect(signature.isLowS)
        #expect(key.publicKey.verifies(signature, of: hash))
        let high = try ECDSASignature(compact: negatedS(signature.compact))
        #expect(!high.isLowS)
        #expect(!key.publicKey.verifies(high, of: hash))
        #expect(try ECDSASignature(der: high.der) == high)
    }

    @Test("The nonce is that of RFC 6979")
    func deterministic() throws {
        // A widely published secp256k1 vector: key 1, SHA-256 of "Satoshi Nakamoto".
        let key = try SecretKey(KeyTests.scalar(1))
        let signature = try key.ecdsaSignature(of: SHA256.hash("Satoshi Nakamoto".utf8))
        let expected = try hex(
            """
            934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8
            2442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5
            """)
        #expect(signature.compact == expected)
    }

    @Test(
        "Zero, n and beyond are no r or s",
        arguments: [KeyTests.order, String(repeating: "0", count: 64), String(repeating: "f", count: 64)])
    func range(text: String) throws {
        let wrong = try hex(text)
        #expect(throws: CryptoFault.invalidSignature) { try ECDSASignature(compact: wrong + filled(1)) }
        #expect(throws: CryptoFault.invalidSignature) { try ECDSASignature(compact: filled(1) + wrong) }
        #expect(throws: CryptoFault.invalidSignature) {
            try RecoverableSignature(compact: wrong + filled(1), recoveryID: 0)
        }
    }

    @Test(
        "DER is read strictly",
        arguments: [
            ("nothing", ""),
            ("only the header", "3000"),
            ("another tag", "3106020101020101"),
            ("a length too long", "3007020101020101"),
            ("a byte behind", "300602010102010100"),
            ("cut off", "30060201010201"),
            ("a negative r", "3006020181020101"),
            ("a needless zero in r", "300702020001020101"),
            ("r of zero", "3006020100020101"),
            ("s of zero", "3006020101020100"),
            (
                "r of n",
                "3026022100fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141020101"
            ),
        ])
    func strictDER(name: String, text: String) throws {
        let bytes = try hex(text)
        #expect(throws: CryptoFault.invalidSignature) { try ECDSASignature(der: bytes) }
    }

    @Test("The smallest strict DER is read")
    func smallestDER() throws {
        let signature = try ECDSASignature(der: hex("3006020101020101"))
        #expect(signature.compact == KeyTests.scalar(1) + KeyTests.scalar(1))
        #expect(try signature.der == hex("3006020101020101"))
    }

    @Test("A compact signature has 64 bytes and a hash 32", arguments: [0, 1, 100])
    func lengths(count: Int) throws {
        let key = try SecretKey(filled(0x41))
        let signature = try key.ecdsaSignature(of: filled(1))
        #expect(throws: CryptoFault.invalidLength(expected: 64, found: count)) {
            try ECDSASignature(compact: filled(1, count: count))
        }
        #expect(throws: CryptoFault.invalidLength(expected: 32, found: count)) {
            try key.ecdsaSignature(of: filled(1, count: count))
        }
        #expect(!key.publicKey.verifies(signature, of: filled(1, count: count)))
    }
}

@Suite("Recoverable signatures", .timeLimit(.minutes(5)))
struct RecoverableSignatureTests {
    // BOLT 11, "Examples": the first four, all signed by the published key.
    static let key = "e126f68f7eafcc8b74f54d269fe206be715000f94dac067d1c04a8ca3b2db734"
    static let invoices = [
        """
        lnbc1pvjluezsp5zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygspp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsy
        qcyq5rqwzqfqypqdpl2pkx2ctnv5sxxmmwwd5kgetjypeh2ursdae8g6twvus8g6rfwvs8qun0dfjkxaq9qrsgq357wnc5r2ueh7ck6q93d
        j32dlqnls087fxdwk8qakdyafkq3yap9us6v52vjjsrvywa6rt52cm9r9zqt8r2t7mlcwspyetp5h2tztugp9lfyql
        """,
        """
        lnbc2500u1pvjluezsp5zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygspp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqf
        qqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpu9qrsgquk0rl77nj30yxdy8j9vdx85fkpmdla2087ne0xh8nhedh8w27kyke
        0lp53ut353s06fv3qfegext0eh0ymjpf39tuven09sam30g4vgpfna3rh
        """,
        """
        lnbc20m1pvjluezsp5zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygspp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqq
        qsyqcyq5rqwzqfqypqhp58yjmdan79s6qqdhdzgynm4zwqd5d7xmw5fk98klysy043l2ahrqs9qrsgq7ea976txfraylvgzuxs8kgcw23ez
        lrszfnh8r6qtfpr6cxga50aj6txm9rxrydzd06dfeawfk6swupvz4erwnyutnjq7x39ymw6j38gp7ynn44
        """,
    ]

    /// What BOLT 11 signs, and the 65 bytes of the signature.
    private func parts(of invoice: String) throws -> (hash: [UInt8], signature: [UInt8]) {
        let text = try Bech32.decode(invoice.filter { !$0.isWhitespace }, checksum: .bech32)
        let bits = text.groups.dropLast(104).flatMap { group in (0..<5).reversed().map { group >> $0 & 1 } }
        let data = stride(from: 0, to: bits.count, by: 8).map { start in
            (0..<8).reduce(UInt8(0)) { $0 << 1 | (start + $1 < bits.count ? bits[start + $1] : 0) }
        }
        let signature = try Bech32.bytes(fromGroups: text.groups.suffix(104))
        return (SHA256.hash(Array(text.humanReadablePart.utf8) + data), signature)
    }

    @Test("Signing BOLT 11's examples again gives the published bytes", arguments: invoices)
    func published(invoice: String) throws {
        let (hash, bytes) = try parts(of: invoice)
        let key = try SecretKey(hex(Self.key))
        let signature = try key.recoverableSignature(of: hash)
        #expect(signature.compact + [signature.recoveryID] == bytes)
        #expect(try signature.recoveredPublicKey(of: hash) == key.publicKey)
        #expect(key.publicKey.verifies(signature.ecdsa, of: hash))
    }

    @Test("A high-S signature recovers the key under the other recovery id")
    func highS() throws {
        let key = try SecretKey(filled(0x41))
        let hash = SHA256.hash("message".utf8)
        let low = try key.recoverableSignature(of: hash)
        let high = try RecoverableSignature(compact: negatedS(low.compact), recoveryID: low.recoveryID ^ 1)
        #expect(try high.recoveredPublicKey(of: hash) == key.publicKey)
        #expect(!key.publicKey.verifies(high.ecdsa, of: hash))
        let mistaken = try RecoverableSignature(compact: low.compact, recoveryID: low.recoveryID ^ 1)
        #expect(try mistaken.recoveredPublicKey(of: hash) != key.publicKey)
    }

    @Test("A recovery id is 0 to 3", arguments: [4, 27, 255] as [UInt8])
    func recoveryID(value: UInt8) {
        #expect(throws: CryptoFault.invalidSignature) {
            try RecoverableSignature(compact: filled(1, count: 64), recoveryID: value)
        }
    }

    @Test("Another message recovers another key")
    func anotherMessage() throws {
        let key = try SecretKey(filled(0x41))
        let signature = try key.recoverableSignature(of: SHA256.hash("message".utf8))
        #expect(try signature.recoveredPublicKey(of: SHA256.hash("massage".utf8)) != key.publicKey)
    }

    @Test("An r that is on no point recovers nothing")
    func unrecoverable() throws {
        // x = 5 is on no point; r + n is beyond p for ids 2 and 3.
        let signature = try RecoverableSignature(compact: KeyTests.scalar(5) + filled(1), recoveryID: 0)
        #expect(throws: CryptoFault.invalidSignature) { try signature.recoveredPublicKey(of: filled(1)) }
        let beyond = try RecoverableSignature(compact: filled(0x80) + filled(1), recoveryID: 2)
        #expect(throws: CryptoFault.invalidSignature) { try beyond.recoveredPublicKey(of: filled(1)) }
    }

    @Test("A compact signature has 64 bytes and a hash 32", arguments: [0, 31, 65])
    func lengths(count: Int) throws {
        let key = try SecretKey(filled(0x41))
        let signature = try key.recoverableSignature(of: filled(1))
        #expect(throws: CryptoFault.invalidLength(expected: 64, found: count)) {
            try RecoverableSignature(compact: filled(1, count: count), recoveryID: 0)
        }
        #expect(throws: CryptoFault.invalidLength(expected: 32, found: count)) {
            try key.recoverableSignature(of: filled(1, count: count))
        }
        #expect(throws: CryptoFault.invalidLength(expected: 32, found: count)) {
            try signature.recoveredPublicKey(of: filled(1, count: count))
        }
    }
}
