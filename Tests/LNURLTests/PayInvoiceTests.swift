import LNURL
import LightningCoding
import LightningCrypto
import Testing

@Suite("The second answer of LNURL-pay (LUD-06, LUD-11, LUD-21)", .timeLimit(.minutes(5)))
struct PayInvoiceTests {
    static let pr = "lnbc1pvjluez"

    private func read(_ text: String) throws -> PayInvoice {
        try PayInvoice(json: JSONValue(parsing: text), from: HTTPURL("https://example.com/c"))
    }

    @Test("The body always has routes and disposable, and no action that there is none of")
    func body() throws {
        let verify = try HTTPURL("https://example.com/lnurlpay/alice/00")
        #expect(
            PayInvoice(pr: Self.pr, verify: verify).json.serialized()
                == #"{"pr":"lnbc1pvjluez","routes":[],"verify":"https://example.com/lnurlpay/alice/00","disposable":false}"#
        )
        #expect(
            PayInvoice(pr: Self.pr, disposable: true).json.serialized()
                == #"{"pr":"lnbc1pvjluez","routes":[],"disposable":true}"#)
    }

    @Test("It is read again")
    func roundTrip() throws {
        let invoice = PayInvoice(
            pr: Self.pr,
            verify: try HTTPURL("https://example.com/v"),
            successAction: .message(try ActionText("Thanks"))
        )
        #expect(try PayInvoice(json: invoice.json, from: HTTPURL("https://example.com/c")) == invoice)
    }

    @Test("routes, verify and successAction may be missing or null; disposable is then true (LUD-11)")
    func lenient() throws {
        let expected = PayInvoice(pr: Self.pr, disposable: true)
        #expect(try read(#"{"pr":"lnbc1pvjluez"}"#) == expected)
        #expect(
            try read(
                #"{"status":"OK","pr":"lnbc1pvjluez","routes":null,"disposable":null,"successAction":null,"verify":null}"#
            ) == expected
        )
        #expect(try read(#"{"pr":"lnbc1pvjluez","disposable":false}"#).disposable == false)
    }

    @Test(
        "An answer that breaks a rule is refused",
        arguments: [
            ("{}", .missing(.pr)),
            (#"{"pr":null}"#, .missing(.pr)),
            (#"{"pr":""}"#, .missing(.pr)),
            (#"{"pr":1}"#, .malformed(.pr)),
            (#"{"pr":"x","disposable":"no"}"#, .malformed(.disposable)),
            (#"{"pr":"x","verify":"verify/00"}"#, .url(.verify, .unknownScheme)),
            (#"{"pr":"x","verify":"http://example.com/v"}"#, .clearnetHTTP(.verify)),
            (#"{"pr":"x","successAction":{}}"#, .successAction(.missing(.tag))),
            (#"{"pr":"x","successAction":{"tag":"new"}}"#, .successAction(.unknownTag("new"))),
            (
                #"{"pr":"x","successAction":{"tag":"url","description":"","url":"https://evil.com/"}}"#,
                .successAction(.otherHost)
            ),
        ] as [(String, LNURLFault)]
    )
    func refused(text: String, fault: LNURLFault) {
        #expect(throws: fault) { try read(text) }
    }
}

@Suite("Whether an invoice has been paid (LUD-21)", .timeLimit(.minutes(5)))
struct VerifyResponseTests {
    static let preimage = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

    private func read(_ text: String) throws -> VerifyResponse {
        try VerifyResponse(json: JSONValue(parsing: text))
    }

    @Test("Unsettled, the preimage is there and null; settled, it is the proof")
    func body() throws {
        let open = VerifyResponse(preimage: nil, pr: "lnbc1")
        #expect(open.json.serialized() == #"{"status":"OK","settled":false,"preimage":null,"pr":"lnbc1"}"#)
        let settled = VerifyResponse(preimage: try Preimage(hexadecimal: Self.preimage), pr: "lnbc1")
        #expect(
            settled.json.serialized()
                == #"{"status":"OK","settled":true,"preimage":"\#(Self.preimage)","pr":"lnbc1"}"#
        )
        #expect(try VerifyResponse(json: settled.json) == settled)
        #expect(try VerifyResponse(json: open.json) == open)
    }

    @Test("A service may keep the preimage of a settled invoice; hexadecimal is read in either case")
    func lenient() throws {
        let kept = try read(#"{"settled":true,"pr":"lnbc1","more":1}"#)
        #expect(kept.settled)
        #expect(kept.preimage == nil)
        let upper = try read(#"{"settled":true,"preimage":"\#(Self.preimage.uppercased())","pr":"lnbc1"}"#)
        #expect(try upper.preimage == Preimage(hexadecimal: Self.preimage))
        #expect(try read(#"{"settled":false,"preimage":"","pr":"lnbc1"}"#).preimage == nil)
    }

    @Test(
        "An answer that breaks a rule is refused",
        arguments: [
            (#"{"status":"ERROR","reason":"Not found"}"#, .refused(ErrorResponse(reason: "Not found"))),
            (#"{"pr":"lnbc1"}"#, .missing(.settled)),
            (#"{"settled":"true","pr":"lnbc1"}"#, .malformed(.settled)),
            (#"{"settled":false}"#, .missing(.pr)),
            (#"{"settled":true,"preimage":"00","pr":"lnbc1"}"#, .malformed(.preimage)),
            (#"{"settled":true,"preimage":7,"pr":"lnbc1"}"#, .malformed(.preimage)),
            (#"{"settled":false,"preimage":"\#(preimage)","pr":"lnbc1"}"#, .preimageBeforeSettlement),
        ] as [(String, LNURLFault)]
    )
    func refused(text: String, fault: LNURLFault) {
        #expect(throws: fault) { try read(text) }
    }
}
