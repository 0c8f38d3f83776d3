import LightningCrypto
import Testing

/// BIP-340, test-vectors.csv, by its own index. (15 to 18 sign messages of other lengths, which this room does not.)
struct SchnorrVector: Sendable, CustomTestStringConvertible {
    let index: Int
    var secretKey: String?
    let publicKey: String
    var auxiliaryRandom = ""
    let message: String
    let signature: String
    var comment = ""

    var testDescription: String { "\(index) \(comment)" }

    static let signing = [
        SchnorrVector(
            index: 0, secretKey: "0000000000000000000000000000000000000000000000000000000000000003",
            publicKey: "F9308A019258C31049344F85F89D5229B531C845836F99B08601F113BCE036F9",
            auxiliaryRandom: "0000000000000000000000000000000000000000000000000000000000000000",
            message: "0000000000000000000000000000000000000000000000000000000000000000",
            signature: """
                E907831F80848D1069A5371B402410364BDF1C5F8307B0084C55F1CE2DCA8215
                25F66A4A85EA8B71E482A74F382D2CE5EBEEE8FDB2172F477DF4900D310536C0
                """),
        SchnorrVector(
            index: 1, secretKey: "B7E151628AED2A6ABF7158809CF4F3C762E7160F38B4DA56A784D9045190CFEF",
            publicKey: "DFF1D77F2A671C5F36183726DB2341BE58FEAE1DA2DECED843240F7B502BA659",
            auxiliaryRandom: "0000000000000000000000000000000000000000000000000000000000000001",
            message: "243F6A8885A308D313198A2E03707344A4093822299F31D0082EFA98EC4E6C89",
            signature: """
                6896BD60EEAE296DB48A229FF71DFE071BDE413E6D43F917DC8DCF8C78DE3341
                8906D11AC976ABCCB20B091292BFF4EA897EFCB639EA871CFA95F6DE339E4B0A
                """),
        SchnorrVector(
            index: 2, secretKey: "C90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B14E5C9",
            publicKey: "DD308AFEC5777E13121FA72B9CC1B7CC0139715309B086C960E18FD969774EB8",
            auxiliaryRandom: "C87AA53824B4D7AE2EB035A2B5BBBCCC080E76CDC6D1692C4B0B62D798E6D906",
            message: "7E2D58D8B3BCDF1ABADEC7829054F90DDA9805AAB56C77333024B9D0A508B75C",
            signature: """
                5831AAEED7B44BB74E5EAB94BA9D4294C49BCF2A60728D8B4C200F50DD313C1B
                AB745879A5AD954A72C45A91C3A51D3C7ADEA98D82F8481E0E1E03674A6F3FB7
                """),
        SchnorrVector(
            index: 3, secretKey: "0B432B2677937381AEF05BB02A66ECD012773062CF3FA2549E44F58ED2401710",
            publicKey: "25D1DFF95105F5253C4022F628A996AD3A0D95FBF21D468A1B33F8C160D8F517",
            auxiliaryRandom: "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF",
            message: "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF",
            signature: """
                7EB0509757E246F19449885651611CB965ECC1A187DD51B64FDA1EDC9637D5EC
                97582B9CB13DB3933705B32BA982AF5AF25FD78881EBB32771FC5922EFC66EA3
                """, comment: "message beyond p and n"),
    ]

    static let verifying =
        signing + [
            SchnorrVector(
                index: 4, publicKey: "D69C3509BB99E412E68B0FE8544E72837DFA30746D8BE2AA65975F29D22DC7B9",
                message: "4DF3C3F68FCC83B27E9D42C90431A72499F17875C81A599B566C9889B9696703",
                signature: """
                    00000000000000000000003B78CE563F89A0ED9414F5AA28AD0D96D6795F9C63
                    76AFB1548AF603B3EB45C9F8207DEE1060CB71C04E80F593060B07D28308D7F4
                    """)
        ]

    private static let key = "DFF1D77F2A671C5F36183726DB2341BE58FEAE1DA2DECED843240F7B502BA659"
    private static let message = "243F6A8885A308D313198A2E03707344A4093822299F31D0082EFA98EC4E6C89"
    private static let r = "6CFF5C3BA86C69EA4B7376F31A9BCB4F74C1976089B2D9963DA2E5543E177769"
    private static let s = "69E89B4C5564D00349106B8497785DD7D1D713A8AE82B32FA79D5F7FC407D39B"

    private static func failing(_ index: Int, _ signature: String, _ comment: String) -> SchnorrVector {
        SchnorrVector(index: index, publicKey: key, message: message, signature: signature, comment: comment)
    }

    static let failing = [
        failing(
            6,
            """
            FFF97BD5755EEEA420453A14355235D382F6472F8568A18B2F057A1460297556
            3CC27944640AC607CD107AE10923D9EF7A73C643E166BE5EBEAFA34B1AC553E2
            """, "R has odd y"),
        failing(
            7,
            """
            1FA62E331EDBC21C394792D2AB1100A7B432B013DF3F6FF4F99FCB33E0E1515F
            28890B3EDB6E7189B630448B515CE4F8622A954CFE545735AAEA5134FCCDB2BD
            """, "negated message"),
        failing(8, r + "961764B3AA9B2FFCB6EF947B6887A226E8D7C93E00C5ED0C1834FF0D0C2E6DA6", "negated s"),
        failing(
            9,
            """
            0000000000000000000000000000000000000000000000000000000000000000
            123DDA8328AF9C23A94C1FEECFD123BA4FB73476F0D594DCB65C6425BD186051
            """, "R is infinite, x taken as 0"),
        failing(
            10,
            """
            0000000000000000000000000000000000000000000000000000000000000001
            7615FBAF5AE28864013C099742DEADB4DBA87F11AC6754F93780D5A1837CF197
            """, "R is infinite, x taken as 1"),
        failing(11, "4A298DACAE57395A15D0795DDBFD1DCB564DA82B0F269BC70A74F8220429BA1D" + s, "r is no coordinate"),
        failing(12, "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEFFFFFC2F" + s, "r is the field size"),
        failing(13, r + "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141", "s is the order"),
    ]

    /// Vectors 5 and 14, whose public keys are none.
    static let invalidPublicKeys = [
        "EEFDEA4CDB677750A420FEE807EACF21EB9898AE79B9768766E4FAA04A2D4A34",
        "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEFFFFFC30",
    ]
}

@Suite("Schnorr signatures (BIP-340)", .timeLimit(.minutes(5)))
struct SchnorrSignatureTests {
    @Test("The published signatures come out", arguments: SchnorrVector.signing)
    func signing(vector: SchnorrVector) throws {
        let key = try SecretKey(hex(#require(vector.secretKey)))
        let message = try hex(vector.message)
        let signature = try key.schnorrSignature(of: message, auxiliaryRandom: hex(vector.auxiliaryRandom))
        #expect(try signature.bytes == hex(vector.signature))
        #expect(try key.publicKey.xOnly.bytes == hex(vector.publicKey))
        #expect(key.publicKey.verifies(signature, of: message))
    }

    @Test("The published signatures verify", arguments: SchnorrVector.verifying)
    func verifying(vector: SchnorrVector) throws {
        let key = try XOnlyPublicKey(hex(vector.publicKey))
        let signature = try SchnorrSignature(hex(vector.signature))
        #expect(try key.verifies(signature, of: hex(vector.message)))
    }

    @Test("The published wrong signatures do not verify", arguments: SchnorrVector.failing)
    func failing(vector: SchnorrVector) throws {
        let key = try XOnlyPublicKey(hex(vector.publicKey))
        let signature = try SchnorrSignature(hex(vector.signature))
        #expect(try !key.verifies(signature, of: hex(vector.message)))
    }

    @Test("The published wrong public keys are refused", arguments: SchnorrVector.invalidPublicKeys)
    func invalidPublicKeys(text: String) throws {
        let bytes = try hex(text)
        #expect(throws: CryptoFault.invalidPublicKey) { try XOnlyPublicKey(bytes) }
    }

    @Test("No auxiliary randomness is the same as 32 zero bytes")
    func withoutRandomness() throws {
        let key = try SecretKey(filled(0x41))
        let hash = SHA256.hash("message".utf8)
        let bare = try key.schnorrSignature(of: hash, auxiliaryRandom: nil)
        #expect(try bare == key.schnorrSignature(of: hash, auxiliaryRandom: filled(0)))
        #expect(try bare != key.schnorrSignature(of: hash, auxiliaryRandom: filled(1)))
    }

    @Test("A signature by a key of odd y verifies under the 33 bytes of either parity")
    func oddKey() throws {
        let odd = try SecretKey(hex(KeyTests.orderMinusOne))
        let even = try SecretKey(KeyTests.scalar(1))
        let hash = SHA256.hash("message".utf8)
        let signature = try odd.schnorrSignature(of: hash, auxiliaryRandom: nil)
        #expect(odd.publicKey.bytes[0] == 3)
        #expect(odd.publicKey.verifies(signature, of: hash))
        #expect(even.publicKey.verifies(signature, of: hash))
    }

    @Test("A changed message, another key and a changed signature fail")
    func neighbors() throws {
        let key = try SecretKey(filled(0x41))
        let hash = SHA256.hash("message".utf8)
        let signature = try key.schnorrSignature(of: hash, auxiliaryRandom: nil)
        #expect(!key.publicKey.verifies(signature, of: SHA256.hash("massage".utf8)))
        #expect(try !SecretKey(filled(0x42)).publicKey.verifies(signature, of: hash))
        for index in [0, 31, 32, 63] {
            var bytes = signature.bytes
            bytes[index] ^= 1
            #expect(try !key.publicKey.verifies(SchnorrSignature(bytes), of: hash))
        }
    }

    @Test("Only hashes of 32 bytes are signed or verified", arguments: [0, 31, 33])
    func hashLength(count: Int) throws {
        let key = try SecretKey(filled(0x41))
        let signature = try key.schnorrSignature(of: filled(0), auxiliaryRandom: nil)
        #expect(!key.publicKey.verifies(signature, of: filled(0, count: count)))
        #expect(throws: CryptoFault.invalidLength(expected: 32, found: count)) {
            try key.schnorrSignature(of: filled(0, count: count), auxiliaryRandom: nil)
        }
        #expect(throws: CryptoFault.invalidLength(expected: 32, found: count)) {
            try key.schnorrSignature(of: filled(0), auxiliaryRandom: filled(0, count: count))
        }
    }

    @Test("A signature has 64 bytes, an x-only key 32")
    func lengths() {
        for count in [0, 63, 65] {
            #expect(throws: CryptoFault.invalidLength(expected: 64, found: count)) {
                try SchnorrSignature(filled(0, count: count))
            }
        }
        for count in [0, 31, 33] {
            #expect(throws: CryptoFault.invalidLength(expected: 32, found: count)) {
                try XOnlyPublicKey(filled(0, count: count))
            }
        }
    }
}
