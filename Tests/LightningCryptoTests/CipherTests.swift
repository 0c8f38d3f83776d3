import LightningCoding
import LightningCrypto
import Testing

@Suite("ChaCha20 and ChaCha20-Poly1305 (RFC 8439)", .timeLimit(.minutes(5)))
struct ChaCha20Tests {
    static let sunscreen = Array(
        """
        Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.
        """.utf8)

    @Test("The published stream encrypts the published text (§2.4.2)")
    func stream() throws {
        let nonce = try hex("000000000000004a00000000")
        let expected = try hex(
            """
            6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0bf91b65c5524733ab8f593dabcd62b3571639d6
            24e65152ab8f530c359f0861d807ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab77937365af90bbf74a3
            5be6b40b8eedf2785e42874d
            """)
        let key = Array(0...31) as [UInt8]
        #expect(try ChaCha20.xor(Self.sunscreen, key: key, nonce: nonce, counter: 1) == expected)
        #expect(try ChaCha20.xor(expected, key: key, nonce: nonce, counter: 1) == Self.sunscreen)
        #expect(try ChaCha20.xor(Self.sunscreen, key: key, nonce: nonce) != expected)
    }

    @Test("The published key stream of a zero key comes out (Appendix A.1, test vectors 1 and 2)")
    func keystream() throws {
        let both = try hex(
            """
            76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7da41597c5157488d7724e03fb8d84a376a43b8f4
            1518a11cc387b669b2ee65869f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed29b721769ce64e43
            d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f
            """)
        let nonce = filled(0, count: 12)
        #expect(try ChaCha20.keystream(key: filled(0), nonce: nonce, count: 128) == both)
        #expect(try ChaCha20.keystream(key: filled(0), nonce: nonce, counter: 1, count: 64) == Array(both.suffix(64)))
        #expect(try ChaCha20.keystream(key: filled(0), nonce: nonce, count: 3) == Array(both.prefix(3)))
        #expect(try ChaCha20.keystream(key: filled(0), nonce: nonce, count: 0) == [])
    }

    @Test("Key, nonce and count are checked")
    func lengths() {
        #expect(throws: CryptoFault.invalidLength(expected: 32, found: 31)) {
            try ChaCha20.keystream(key: filled(0, count: 31), nonce: filled(0, count: 12), count: 1)
        }
        #expect(throws: CryptoFault.invalidLength(expected: 12, found: 16)) {
            try ChaCha20.keystream(key: filled(0), nonce: filled(0, count: 16), count: 1)
        }
        #expect(throws: CryptoFault.invalidLength(expected: 0, found: -1)) {
            try ChaCha20.keystream(key: filled(0), nonce: filled(0, count: 12), count: -1)
        }
    }

    struct Sealed {
        let key = Array(0x80...0x9F) as [UInt8]
        let nonce: [UInt8]
        let associatedData: [UInt8]
        let text: [UInt8]

        /// RFC 8439 §2.8.2.
        init() throws {
            nonce = try hex("070000004041424344454647")
            associatedData = try hex("50515253c0c1c2c3c4c5c6c7")
            text = try hex(
                """
                d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b1a71de
                0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b
                7a9de576d26586cec64b61161ae10b594f09e26a7e902ecbd0600691
                """)
        }
    }

    @Test("The published text is sealed and opened (§2.8.2)")
    func sealing() throws {
        let sealed = try Sealed()
        let text = try ChaCha20Poly1305.seal(
            Self.sunscreen, key: sealed.key, nonce: sealed.nonce, associatedData: sealed.associatedData)
        #expect(text == sealed.text)
        let opened = try ChaCha20Poly1305.open(
            sealed.text, key: sealed.key, nonce: sealed.nonce, associatedData: sealed.associatedData)
        #expect(opened == Self.sunscreen)
    }

    @Test("A change anywhere fails to open")
    func tampering() throws {
        let sealed = try Sealed()
        for index in sealed.text.indices {
            var text = sealed.text
            text[index] ^= 0x40
            #expect(throws: CryptoFault.authenticationFailed) {
                try ChaCha20Poly1305.open(
                    text, key: sealed.key, nonce: sealed.nonce, associatedData: sealed.associatedData)
            }
        }
        for wrong in [Array(sealed.text.dropLast()), sealed.text + [0], [], Array(sealed.text.prefix(15))] {
            #expect(throws: CryptoFault.authenticationFailed) {
                try ChaCha20Poly1305.open(
                    wrong, key: sealed.key, nonce: sealed.nonce, associatedData: sealed.associatedData)
            }
        }
        #expect(throws: CryptoFault.authenticationFailed) {
            try ChaCha20Poly1305.open(sealed.text, key: sealed.key, nonce: sealed.nonce)
        }
        #expect(throws: CryptoFault.authenticationFailed) {
            try ChaCha20Poly1305.open(
                sealed.text, key: sealed.key, nonce: filled(0, count: 12), associatedData: sealed.associatedData)
        }
        #expect(throws: CryptoFault.authenticationFailed) {
            try ChaCha20Poly1305.open(
                sealed.text, key: filled(0), nonce: sealed.nonce, associatedData: sealed.associatedData)
        }
    }

    @Test("The empty text is its tag alone")
    func emptyText() throws {
        let key = filled(1)
        let nonce = filled(0, count: 12)
        let tag = try ChaCha20Poly1305.seal([], key: key, nonce: nonce, associatedData: [1, 2, 3])
        #expect(tag.count == 16)
        #expect(try ChaCha20Poly1305.open(tag, key: key, nonce: nonce, associatedData: [1, 2, 3]) == [])
        #expect(throws: CryptoFault.authenticationFailed) { try ChaCha20Poly1305.open(tag, key: key, nonce: nonce) }
    }

    @Test("Key and nonce are checked")
    func sealLengths() {
        #expect(throws: CryptoFault.invalidLength(expected: 32, found: 16)) {
            try ChaCha20Poly1305.seal([], key: filled(0, count: 16), nonce: filled(0, count: 12))
        }
        #expect(throws: CryptoFault.invalidLength(expected: 12, found: 8)) {
            try ChaCha20Poly1305.open(filled(0), key: filled(0), nonce: filled(0, count: 8))
        }
    }
}

@Suite("AES-256-CBC", .timeLimit(.minutes(5)))
struct AES256CBCTests {
    @Test("The published blocks come out (NIST SP 800-38A, F.2.5)")
    func published() throws {
        let key = try hex("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4")
        let iv = Array(0...15) as [UInt8]
        let plaintext = try hex(
            """
            6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51
            30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710
            """)
        let blocks = try hex(
            """
            f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d
            39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b
            """)
        let ciphertext = try AES256CBC.encrypt(plaintext, key: key, iv: iv)
        #expect(ciphertext.count == blocks.count + 16)
        #expect(ciphertext.starts(with: blocks))
        #expect(try AES256CBC.decrypt(ciphertext, key: key, iv: iv) == plaintext)
    }

    // LUD-10 with the preimage 00 01 … 1f; ciphertexts by a second implementation (Python's cryptography).
    @Test(
        "Padding is PKCS#7 over bytes",
        arguments: [
            ("Secret data", "qEKI4TOS5+n33nsm28HHWA=="),
            ("", "6cPvirI0U+bwdJzWNueojg=="),
            ("0123456789abcdef", "4j/AuRx71kQlxVlzbpsMWEhewdanHmFZMjJdZQbsNwA="),
            ("lightning icons: ⚡⚡", "7JzYvAM2x0liBJMefuCCVp0hWgrjP4hO9RWLySck6eY="),
        ])
    func padding(text: String, ciphertext: String) throws {
        let key = Array(0...31) as [UInt8]
        let iv = try Base64.decode("AAECAwQFBgcICQoLDA0ODw==")
        #expect(try AES256CBC.encrypt(text.utf8, key: key, iv: iv) == Base64.decode(ciphertext))
        #expect(try AES256CBC.decrypt(Base64.decode(ciphertext), key: key, iv: iv) == Array(text.utf8))
    }

    @Test("What is not whole blocks, and nothing at all, is refused", arguments: [0, 1, 15, 17, 31])
    func blocks(count: Int) {
        #expect(throws: CryptoFault.invalidPadding) {
            try AES256CBC.decrypt(filled(0, count: count), key: filled(1), iv: filled(2, count: 16))
        }
    }

    @Test("A wrong key gives no text and does no harm")
    func wrongKey() throws {
        let iv = filled(2, count: 16)
        let ciphertext = try AES256CBC.encrypt("Secret data".utf8, key: filled(1), iv: iv)
        var refused = 0
        for byte in UInt8(2)...101 {
            do {
                let text = try AES256CBC.decrypt(ciphertext, key: filled(byte), iv: iv)
                #expect(text != Array("Secret data".utf8))
            } catch {
                #expect(error == .invalidPadding)
                refused += 1
            }
        }
        #expect(refused > 90)
    }

    @Test("Padding that lies is refused")
    func wrongPadding() throws {
        // The first block decrypts to what is XORed with the vector, so the vector chooses the last byte.
        let key = filled(1)
        let iv = filled(0, count: 16)
        let ciphertext = try AES256CBC.encrypt(filled(0x61, count: 15), key: key, iv: iv)
        for last in [0, 2, 17, 255] as [UInt8] {
            let twisted = filled(0, count: 15) + [1 ^ last]
            #expect(throws: CryptoFault.invalidPadding) {
                try AES256CBC.decrypt(ciphertext, key: key, iv: twisted)
            }
        }
    }

    @Test("Key and vector are checked")
    func lengths() {
        #expect(throws: CryptoFault.invalidLength(expected: 32, found: 16)) {
            try AES256CBC.encrypt([1], key: filled(0, count: 16), iv: filled(0, count: 16))
        }
        #expect(throws: CryptoFault.invalidLength(expected: 16, found: 12)) {
            try AES256CBC.decrypt(filled(0), key: filled(0), iv: filled(0, count: 12))
        }
    }
}

@Suite("AES-256-GCM", .timeLimit(.minutes(5)))
struct AES256GCMTests {
    struct Vector: Sendable {
        let key: String
        let nonce: String
        var associatedData = ""
        let plaintext: String
        let ciphertext: String
        let tag: String
    }

    // McGrew and Viega, "The Galois/Counter Mode of Operation", test cases 13, 14 and 16 (submitted to NIST).
    static let published = [
        Vector(
            key: String(repeating: "0", count: 64), nonce: String(repeating: "0", count: 24), plaintext: "",
            ciphertext: "", tag: "530f8afbc74536b9a963b4f1c4cb738b"),
        Vector(
            key: String(repeating: "0", count: 64), nonce: String(repeating: "0", count: 24),
            plaintext: String(repeating: "0", count: 32), ciphertext: "cea7403d4d606b6e074ec5d3baf39d18",
            tag: "d0d1c8a799996bf0265b98b5d48ab919"),
        Vector(
            key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
            nonce: "cafebabefacedbaddecaf888", associatedData: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            plaintext: """
                d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72
                1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39
                """,
            ciphertext: """
                522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa
                8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662
                """, tag: "76fc6ece0f4e1768cddf8853bb2d551b"),
    ]

    @Test("The published texts are sealed and opened", arguments: published)
    func publishedTexts(vector: Vector) throws {
        let key = try hex(vector.key)
        let nonce = try hex(vector.nonce)
        let associatedData = try hex(vector.associatedData)
        let sealed = try AES256GCM.seal(hex(vector.plaintext), key: key, nonce: nonce, associatedData: associatedData)
        #expect(try sealed.ciphertext == hex(vector.ciphertext))
        #expect(try sealed.tag == hex(vector.tag))
        let opened = try AES256GCM.open(
            sealed.ciphertext, tag: sealed.tag, key: key, nonce: nonce, associatedData: associatedData)
        #expect(try opened == hex(vector.plaintext))
    }

    @Test("A change in text, tag, data, nonce or key fails to open")
    func tampering() throws {
        let key = filled(1)
        let nonce = filled(2, count: 12)
        let (text, tag) = try AES256GCM.seal("text".utf8, key: key, nonce: nonce, associatedData: [9])
        let fault = CryptoFault.authenticationFailed
        for index in tag.indices {
            var changed = tag
            changed[index] ^= 1
            #expect(throws: fault) {
                try AES256GCM.open(text, tag: changed, key: key, nonce: nonce, associatedData: [9])
            }
        }
        for wrong in [[], Array(tag.dropLast()), tag + [0], Array(tag.prefix(4))] {
            #expect(throws: fault) { try AES256GCM.open(text, tag: wrong, key: key, nonce: nonce, associatedData: [9]) }
        }
        #expect(throws: fault) { try AES256GCM.open(text + [0], tag: tag, key: key, nonce: nonce, associatedData: [9]) }
        #expect(throws: fault) { try AES256GCM.open(text, tag: tag, key: key, nonce: nonce) }
        #expect(throws: fault) {
            try AES256GCM.open(text, tag: tag, key: key, nonce: filled(3, count: 12), associatedData: [9])
        }
        #expect(throws: fault) {
            try AES256GCM.open(text, tag: tag, key: filled(4), nonce: nonce, associatedData: [9])
        }
    }

    @Test(
        "Nonces of 13 and 16 bytes are taken, as PyPI cryptography takes them",
        arguments: [
            (13, "e9f821e3", "97b25a1fa370b439d7c1f8414edb3b46"), (16, "1309d802", "d023b40e4553ea2f478222eecfaf5fc8"),
        ])
    func longNonces(count: UInt8, ciphertext: String, tag: String) throws {
        let key = Array(UInt8(0)..<32)
        let nonce = Array(UInt8(0)..<count)
        let sealed = try AES256GCM.seal("text".utf8, key: key, nonce: nonce, associatedData: [9])
        #expect(try sealed.ciphertext == hex(ciphertext))
        #expect(try sealed.tag == hex(tag))
        let opened = try AES256GCM.open(hex(ciphertext), tag: hex(tag), key: key, nonce: nonce, associatedData: [9])
        #expect(opened == Array("text".utf8))
    }

    @Test("Key and nonce are checked")
    func lengths() {
        #expect(throws: CryptoFault.invalidLength(expected: 32, found: 16)) {
            try AES256GCM.seal([], key: filled(0, count: 16), nonce: filled(0, count: 12))
        }
        #expect(throws: CryptoFault.invalidLength(expected: 12, found: 11)) {
            try AES256GCM.open([], tag: filled(0, count: 16), key: filled(0), nonce: filled(0, count: 11))
        }
        #expect(throws: CryptoFault.invalidLength(expected: 12, found: 17)) {
            try AES256GCM.open([], tag: filled(0, count: 16), key: filled(0), nonce: filled(0, count: 17))
        }
    }
}
