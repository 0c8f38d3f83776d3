import LightningCoding
import LightningCrypto
import Testing

@Suite("P-256: ES256 signatures and shared secrets", .timeLimit(.minutes(5)))
struct P256Tests {
    private static let scalar = "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721"

    @Test("Each signature is another one, and verifies")
    func signatures() throws {
        let key = try P256SecretKey(hex(Self.scalar))
        let found = try Set((0..<20).map { _ in try key.sign(Array("sample".utf8)) })
        #expect(found.count == 20)
        #expect(found.allSatisfy { key.publicKey.isValid($0, for: Array("sample".utf8)) })
        #expect(try !key.publicKey.isValid(key.sign([]), for: Array("sample".utf8)))
    }

    @Test("A number that begins with a zero keeps its 32 bytes in the signature", arguments: [0, 32])
    func shortNumbers(start: Int) throws {
        let key = try P256SecretKey(hex(Self.scalar))
        // One signature in 256 has it: that 20,000 have none does not happen.
        var signature: [UInt8] = []
        for _ in 0..<20_000 where signature.isEmpty || signature[start] != 0 {
            signature = try key.sign(Array("sample".utf8))
        }
        #expect(signature.count == 64 && signature[start] == 0)
        #expect(key.publicKey.isValid(signature, for: Array("sample".utf8)))
    }

    @Test(
        "The signatures of the published key verify (RFC 6979, A.2.5)",
        arguments: [
            (
                "sample",
                """
                EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716
                F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8
                """
            ),
            (
                "test",
                """
                F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367
                019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083
                """
            ),
        ])
    func published(message: String, signature: String) throws {
        let key = try P256SecretKey(hex(Self.scalar)).publicKey
        #expect(try key.isValid(hex(signature), for: Array(message.utf8)))
    }

    @Test("A published token verifies, and no other text does (RFC 7515, A.3)")
    func publishedToken() throws {
        let key = try P256SecretKey(Base64URL.decode("jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"))
        let text =
            "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
        var signature = try Base64URL.decode(
            "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q")
        #expect(key.publicKey.isValid(signature, for: Array(text.utf8)))
        #expect(!key.publicKey.isValid(signature, for: Array(text.dropLast().utf8)))
        signature[63] ^= 1
        #expect(!key.publicKey.isValid(signature, for: Array(text.utf8)))
        #expect(!key.publicKey.isValid(signature.dropLast(), for: Array(text.utf8)))
    }

    @Test("A signature is r and s, 32 bytes each, from 1 to n - 1; both s of a pair are valid")
    func forms() throws {
        let key = try P256SecretKey(Base64URL.decode("jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI")).publicKey
        let text = Array(
            "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
                .utf8)
        let signature = try Base64URL.decode(
            "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q")
        let (r, s) = (Array(signature[..<32]), Array(signature[32...]))
        let other = try hex("3AF5F82B73C38F1B270ED250F7B5AB7F168169E7B4844DEA647A4B3878BFD07C")
        let order = try hex("FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551")
        #expect(key.isValid(r + s, for: text) && key.isValid(r + other, for: text))
        for wrong in [s + r, r + s + [0], r + order, filled(0) + s, r + filled(0), filled(0) + filled(0), []] {
            #expect(!key.isValid(wrong, for: text))
        }
    }

    @Test("The shared secret is the x coordinate of the product (RFC 8291, appendix A)")
    func sharedSecret() throws {
        let sender = try P256SecretKey(Base64URL.decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
        let receiver = try P256SecretKey(Base64URL.decode("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"))
        let expected = SecretBytes(try Base64URL.decode("kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs"))
        #expect(try sender.sharedSecret(with: receiver.publicKey) == expected)
        #expect(try receiver.sharedSecret(with: sender.publicKey) == expected)
        let point = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
        #expect(Base64URL.encode(receiver.publicKey.point) == point)
    }

    @Test("A scalar is 32 bytes from 1 to n - 1")
    func scalars() throws {
        let order = "FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551"
        #expect(throws: Never.self) { try P256SecretKey(hex(String(order.dropLast()) + "0")) }
        #expect(throws: Never.self) { try P256SecretKey(filled(0, count: 31) + [1]) }
        for scalar in [filled(0), try hex(order), filled(0xFF)] {
            #expect(throws: CryptoFault.invalidSecretKey) { try P256SecretKey(scalar) }
        }
        #expect(throws: CryptoFault.invalidLength(expected: 32, found: 31)) { try P256SecretKey(filled(1, count: 31)) }
    }

    @Test("A point is 65 bytes, uncompressed, and on the curve")
    func points() throws {
        let point = try P256SecretKey(hex(Self.scalar)).publicKey.point
        #expect(try P256PublicKey(point).point == point)
        var other = point
        other[64] ^= 1
        for wrong in [other, Array(point.dropLast()), [0x02] + point[1...32], [0x06] + point.dropFirst(), []] {
            #expect(throws: CryptoFault.invalidPublicKey) { try P256PublicKey(wrong) }
        }
    }

    @Test("A key in PEM may be PKCS #8 or SEC 1, neither encrypted nor of another curve")
    func pem() throws {
        let point = try P256SecretKey(hex(Self.scalar)).publicKey
        for text in [PublishedKeys.p256, PublishedKeys.p256Older, PublishedKeys.p256 + "\n"] {
            #expect(try P256SecretKey(pem: Array(text.utf8)).publicKey == point)
        }
        for text in [
            PublishedKeys.p256Encrypted, PublishedKeys.p384, PublishedKeys.rsa, "", "-----BEGIN PRIVATE KEY-----",
        ] {
            #expect(throws: CryptoFault.invalidSecretKey) { try P256SecretKey(pem: Array(text.utf8)) }
        }
    }

    @Test("A drawn key is used as drawn")
    func drawn() throws {
        let key = try P256SecretKey { _ throws(CryptoFault) in filled(0x11) }
        #expect(try key.publicKey == P256SecretKey(filled(0x11)).publicKey)
    }
}

@Suite("RS256 signatures", .timeLimit(.minutes(5)))
struct RSATests {
    private static let text =
        "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
    private static let signature =
        "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdb"
        + "F9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383"
        + "LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWy"
        + "wlVmtVrBp0igcN_IoypGlUPQGe77Rw"

    @Test("The published key signs the published text (RFC 7515, A.2)")
    func published() throws {
        let key = try RSASecretKey(pem: Array(PublishedKeys.rsa.utf8))
        let signature = try key.sign(Array(Self.text.utf8))
        #expect(Base64URL.encode(signature) == Self.signature)
        #expect(key.isValid(signature, for: Array(Self.text.utf8)))
        #expect(!key.isValid(signature, for: Array(Self.text.dropLast().utf8)))
    }

    @Test("A key of another algorithm is refused, and so is a short one")
    func refused() {
        for text in [PublishedKeys.p256, PublishedKeys.p256Encrypted, Self.shortKey, ""] {
            #expect(throws: CryptoFault.invalidSecretKey) { try RSASecretKey(pem: Array(text.utf8)) }
        }
    }

    /// A modulus of 1024 bits, made for this test.
    private static let shortKey = """
        -----BEGIN PRIVATE KEY-----
        MIICdgIBADANBgkqhkiG9w0BAQEFAASCAmAwggJcAgEAAoGBAO1Q1jsLYDkEZTiO
        QSySvOlJMYR4BziNxdbYEy2Omj9NmgzxMzon4ime4SV9m5w1LUjWYHI5+9iDSfeO
        /dKlP0SMfdzF6Q+suIt+CRaT5SaOQmt6uFPz8vvTJTZ/WdXz7T4OEDpUIOZel9lA
        RvbZgogirfJjVd4ZbRTRnqCcro9pAgMBAAECgYAH/PaZGjLs+Gbn1nH/LBlLyPjv
        upKTpsIID1Hl8KzkgJo04VGWHY2RVRXDC01XnrqdfwnUDnuZuCGfQaLtmj5c4buX
        FnHj3Fjten1kUgmRfeRnOQ/BmIAhlK5uW5ZEEJMMOK/oVnrL3ZhMmoBFLNvKw+LJ
        Y/SWjPfU25SVa/dw4QJBAP6Xcz0LNKeL/s+yCftMbn3pLi3VeVLzkGzA6hfF3pb/
        X7gmyLXGRNoJzF9vCOJI0RXOo8LlggunS8mhewLIuP0CQQDuoOu8RzDeFzeR7GyE
        atGoJoN0dezvPsWXIVWvr9ulchHkK7QvSAX4HmPSHsGBNZS82g2N37TD7BneRtYp
        O2HdAkEAoP5exjRm2KjDus1oWHyNxpuFM0CyVw1kwBECN4RN7QiSnB4SgDhf482c
        aqEJaicH6RViI2YE5Z+mYlv2MN2DdQJAN8KekyZHgv4F3DFUwjR7vUESopoTvWv7
        m+8MKLt9JdHb4Gdd+VZpHqtrQ+Qv71Nn6CFD3Y0Snl2DRe9jh8r6eQJARbpgnafh
        NCR+cPcYYWsvWzISvQ3MkFvgNtVraozjPp9j/lnvwrLIsXycpQga6LNvcp1E3JdC
        LYgkYibnOslFuA==
        -----END PRIVATE KEY-----
        """
}

@Suite("HKDF and AES-128-GCM", .timeLimit(.minutes(5)))
struct DerivationTests {
    @Test("The published derivations come out (RFC 5869, A.1 to A.3)")
    func published() throws {
        let first = try HKDF.derive(
            from: filled(0x0B, count: 22), salt: hex("000102030405060708090a0b0c"), info: hex("f0f1f2f3f4f5f6f7f8f9"),
            count: 42)
        #expect(
            try Array(first)
                == hex("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"))
        let second = try HKDF.derive(
            from: Array(0x00...0x4F), salt: Array(0x60...0xAF), info: Array(0xB0...0xFF), count: 82)
        #expect(
            try Array(second)
                == hex(
                    """
                    b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09
                    da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87
                    """))
        let third = try HKDF.derive(from: filled(0x0B, count: 22), salt: [UInt8](), info: [UInt8](), count: 42)
        #expect(
            try Array(third)
                == hex("8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"))
    }

    @Test("At most 255 blocks are derived")
    func counts() throws {
        #expect(try HKDF.derive(from: [1], salt: [UInt8](), info: [UInt8](), count: 8160).count == 8160)
        #expect(try HKDF.derive(from: [1], salt: [UInt8](), info: [UInt8](), count: 0).isEmpty)
        #expect(throws: CryptoFault.invalidLength(expected: 8160, found: 8161)) {
            try HKDF.derive(from: [1], salt: [UInt8](), info: [UInt8](), count: 8161)
        }
        #expect(throws: CryptoFault.invalidLength(expected: 8160, found: -1)) {
            try HKDF.derive(from: [1], salt: [UInt8](), info: [UInt8](), count: -1)
        }
    }

    @Test("The published text is sealed and opened (the GCM specification, test case 3), and a change fails to open")
    func sealing() throws {
        let key = try hex("feffe9928665731c6d6a8f9467308308")
        let nonce = try hex("cafebabefacedbaddecaf888")
        let plaintext = try hex(
            """
            d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5
            aa0de657ba637b391aafd255
            """)
        let (ciphertext, tag) = try AES128GCM.seal(plaintext, key: key, nonce: nonce)
        #expect(
            try ciphertext
                == hex(
                    """
                    42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa05
                    1ba30b396a0aac973d58e091473f5985
                    """))
        #expect(try tag == hex("4d5c2af327cd64a62cf35abd2ba6fab4"))
        #expect(try AES128GCM.open(ciphertext, tag: tag, key: key, nonce: nonce) == plaintext)
        #expect(throws: CryptoFault.authenticationFailed) {
            try AES128GCM.open(ciphertext.dropLast(), tag: tag, key: key, nonce: nonce)
        }
        #expect(throws: CryptoFault.invalidLength(expected: 16, found: 32)) {
            try AES128GCM.seal(plaintext, key: filled(1), nonce: nonce)
        }
    }
}
