import LNURL
import LightningCoding
import LightningCrypto
import Testing

@Suite("Paths of addresses", .timeLimit(.minutes(1)))
struct PayPathsTests {
    static let hash = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"

    @Test("Each question has its path, without a query, under the public URL")
    func written() throws {
        let service = try HTTPURL("https://example.com")
        let recipient = try LocalPart("alice+rent")
        #expect(PayPaths.info(of: recipient, at: service).text == "https://example.com/.well-known/lnurlp/alice+rent")
        #expect(
            PayPaths.callback(of: recipient, version: 3, at: service).text
                == "https://example.com/lnurlpay/alice+rent/v3/invoice"
        )
        #expect(
            PayPaths.callback(of: recipient, at: service).text == "https://example.com/lnurlpay/alice+rent/invoice"
        )
        #expect(
            PayPaths.verify(try PaymentHash(hexadecimal: Self.hash), of: recipient.name, at: service).text
                == "https://example.com/lnurlpay/alice/\(Self.hash)"
        )
    }

    @Test("What is written is read again")
    func roundTrip() throws {
        let service = try HTTPURL("https://example.com")
        let recipient = try LocalPart("alice+rent")
        let hash = try PaymentHash(hexadecimal: Self.hash)
        #expect(try PayPaths.question(of: PayPaths.info(of: recipient, at: service).path) == .info(recipient))
        #expect(
            try PayPaths.question(of: PayPaths.callback(of: recipient, version: .max, at: service).path)
                == .invoice(recipient, version: .max)
        )
        #expect(
            try PayPaths.question(of: PayPaths.callback(of: recipient, at: service).path)
                == .invoice(recipient, version: nil)
        )
        #expect(
            try PayPaths.question(of: PayPaths.verify(hash, of: recipient.name, at: service).path)
                == .verify(hash, of: recipient.name, createdAt: nil)
        )
    }

    @Test(
        "Case, percent signs, + and a last slash do not matter",
        arguments: [
            "/lnurlp/alice+rent", "/lnurlp/ALICE+RENT", "/lnurlp/alice%2Brent", "/lnurlp/alice%2brent/",
            "/.well-known/lnurlp/alice+rent", "/.well-known/lnurlp/Alice%2BRent/",
        ]
    )
    func info(path: String) throws {
        #expect(try PayPaths.question(of: path) == .info(LocalPart("alice+rent")))
    }

    @Test("The hash of an invoice is read in either case")
    func upperCaseHash() throws {
        #expect(
            try PayPaths.question(of: "/lnurlpay/alice/\(Self.hash.uppercased())")
                == .verify(PaymentHash(hexadecimal: Self.hash), of: AddressName("alice"), createdAt: nil)
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
            ("/lnurlpay/alice/1/invoice", .version), ("/lnurlpay/alice/x1/invoice", .version),
            ("/lnurlpay/alice/V1/invoice", .version), ("/lnurlpay/alice/v/invoice", .version),
            ("/lnurlpay/alice/v+1/invoice", .version), ("/lnurlpay/alice/v-1/invoice", .version),
            ("/lnurlpay/alice/v18446744073709551616/invoice", .version),
            ("/lnurlpay/alice/v0/invoice", .version), ("/lnurlpay/alice/v01/invoice", .version),
            ("/lnurlpay/alice/\(hash.dropLast())", .paymentHash), ("/lnurlpay/alice/\(hash)0", .paymentHash),
            ("/lnurlpay/alice/\(hash.dropLast())g", .paymentHash),
            ("/lnurlpay/alice+rent/\(hash)", .unknownPath),
        ] as [(String, PayPaths.Fault)]
    )
    func refused(path: String, fault: PayPaths.Fault) {
        #expect(throws: fault) { try PayPaths.question(of: path) }
    }

    @Test("The path of a verification may name the second in which the invoice was issued, in decimal digits")
    func time() throws {
        let hash = try PaymentHash(hexadecimal: Self.hash)
        let name = try AddressName("alice")
        let url = PayPaths.verify(
            hash, of: name, createdAt: UnixTime(1_790_000_000), at: try HTTPURL("https://example.com"))
        #expect(url.text == "https://example.com/lnurlpay/alice/1790000000/\(Self.hash)")
        #expect(try PayPaths.question(of: url.path) == .verify(hash, of: name, createdAt: UnixTime(1_790_000_000)))
        for (time, fault) in [
            ("01", PayPaths.Fault.time), ("0", .time), ("18446744073709551616", .time), ("+1", .unknownPath),
            ("1a", .unknownPath), ("v1", .unknownPath), ("%31", .unknownPath),
        ] {
            #expect(throws: fault) { try PayPaths.question(of: "/lnurlpay/alice/\(time)/\(Self.hash)") }
        }
        #expect(throws: PayPaths.Fault.paymentHash) { try PayPaths.question(of: "/lnurlpay/alice/1/\(Self.hash)0") }
        #expect(throws: PayPaths.Fault.unknownPath) { try PayPaths.question(of: "/lnurlpay/alice+rent/1/\(Self.hash)") }
    }
}
