import LNURL
import LightningCoding
import LightningCrypto
import Testing

@Suite("Paths of addresses", .timeLimit(.minutes(5)))
struct PayPathsTests {
    static let hash = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"

    @Test("Each question has its path, without a query, under the public URL")
    func written() throws {
        let service = try HTTPURL("https://example.com")
        let recipient = try LocalPart("alice+rent")
        let alice = PayPaths.Recipient.name(try LocalPart("alice"))
        #expect(PayPaths.info(of: recipient, at: service).text == "https://example.com/.well-known/lnurlp/alice+rent")
        #expect(
            PayPaths.callback(of: .name(recipient), token: PayToken(3), at: service).text
                == "https://example.com/lnurlpay/alice+rent/v3/invoice"
        )
        #expect(
            PayPaths.callback(of: .name(recipient), at: service).text
                == "https://example.com/lnurlpay/alice+rent/invoice"
        )
        #expect(
            PayPaths.verify(try PaymentHash(hexadecimal: Self.hash), of: alice, at: service).text
                == "https://example.com/lnurlpay/alice/\(Self.hash)"
        )
    }

    @Test("What is written is read again, for a name and for a key")
    func roundTrip() throws {
        let service = try HTTPURL("https://example.com")
        let hash = try PaymentHash(hexadecimal: Self.hash)
        let tagged = try LocalPart("alice+rent")
        #expect(try PayPaths.question(of: PayPaths.info(of: tagged, at: service).path) == .info(.name(tagged)))
        let key = PayPaths.Recipient.key(try SecretKey([UInt8](repeating: 1, count: 32)).publicKey)
        #expect(try PayPaths.question(of: "/lnurlp/\(key.text)") == .info(key))
        for recipient in [.name(tagged), key] {
            for token in [nil, PayToken(.max)] {
                let path = PayPaths.callback(of: recipient, token: token, at: service).path
                #expect(try PayPaths.question(of: path) == .invoice(recipient, token: token))
            }
        }
        for recipient in [.name(try LocalPart("alice")), key] {
            for token in [nil, PayToken(1_790_000_000)] {
                let path = PayPaths.verify(hash, of: recipient, token: token, at: service).path
                #expect(try PayPaths.question(of: path) == .verify(hash, of: recipient, token: token))
            }
        }
    }

    @Test(
        "Case, percent signs, + and a last slash do not matter",
        arguments: [
            "/lnurlp/alice+rent", "/lnurlp/ALICE+RENT", "/lnurlp/alice%2Brent", "/lnurlp/alice%2brent/",
            "/.well-known/lnurlp/alice+rent", "/.well-known/lnurlp/Alice%2BRent/",
        ]
    )
    func info(path: String) throws {
        #expect(try PayPaths.question(of: path) == .info(.name(LocalPart("alice+rent"))))
    }

    @Test("The hash of an invoice is read in either case")
    func upperCaseHash() throws {
        #expect(
            try PayPaths.question(of: "/lnurlpay/alice/\(Self.hash.uppercased())")
                == .verify(PaymentHash(hexadecimal: Self.hash), of: .name(LocalPart("alice")), token: nil)
        )
    }

    @Test(
        "A path that asks nothing is refused by its rule",
        arguments: [
            ("", .unknownPath), ("/", .unknownPath), ("lnurlp/alice", .unknownPath), ("/lnurlp", .unknownPath),
            ("/lnurlp/alice/bob", .unknownPath), ("/lnurlp//", .recipient(.emptyName)),
            ("//lnurlp/alice", .unknownPath), ("/.well-known/alice", .unknownPath), ("/LNURLP/alice", .unknownPath),
            ("/lnurlp/..", .recipient(.dotSegment)), ("/lnurlp/%2e%2e", .recipient(.dotSegment)),
            ("/lnurlp/a%2fb", .recipient(.invalidCharacter(at: 1))),
            ("/lnurlp/\(String(repeating: "a", count: 300))", .recipient(.nameTooLong)),
            ("/lnurlpay/alice", .unknownPath), ("/lnurlpay/alice/v1/invoice/x", .unknownPath),
            ("/lnurlp/\(String(repeating: "0", count: 66))", .recipient(.nameTooLong)),
            ("/lnurlpay/alice/1/invoice", .callbackToken), ("/lnurlpay/alice/x1/invoice", .callbackToken),
            ("/lnurlpay/alice/V1/invoice", .callbackToken), ("/lnurlpay/alice/v/invoice", .callbackToken),
            ("/lnurlpay/alice/v+1/invoice", .callbackToken), ("/lnurlpay/alice/v-1/invoice", .callbackToken),
            ("/lnurlpay/alice/v18446744073709551616/invoice", .callbackToken),
            ("/lnurlpay/alice/v0/invoice", .callbackToken), ("/lnurlpay/alice/v01/invoice", .callbackToken),
            ("/lnurlpay/alice//invoice", .callbackToken),
            ("/lnurlpay/alice+rent/1/\(hash)", .unknownPath), ("/lnurlpay/alice/1/\(hash)0", .paymentHash),
            ("/lnurlpay/alice/0/\(hash)", .verifyToken), ("/lnurlpay/alice/01/\(hash)", .verifyToken),
            ("/lnurlpay/alice/18446744073709551616/\(hash)", .verifyToken),
            ("/lnurlpay/alice/+1/\(hash)", .unknownPath), ("/lnurlpay/alice/1a/\(hash)", .unknownPath),
            ("/lnurlpay/alice/v1/\(hash)", .unknownPath), ("/lnurlpay/alice/%31/\(hash)", .unknownPath),
            ("/lnurlpay/alice/\(hash.dropLast())", .paymentHash), ("/lnurlpay/alice/\(hash)0", .paymentHash),
            ("/lnurlpay/alice/\(hash.dropLast())g", .paymentHash),
            ("/lnurlpay/alice+rent/\(hash)", .unknownPath),
        ] as [(String, PayPaths.Fault)]
    )
    func refused(path: String, fault: PayPaths.Fault) {
        #expect(throws: fault) { try PayPaths.question(of: path) }
    }
}
