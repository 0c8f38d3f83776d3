import LNURL
import LightningCoding
import Testing
import Waiting

@Suite("The question for an invoice (LUD-06, LUD-12, LUD-18, LUD-26)", .timeLimit(.minutes(5)))
struct CallbackQueryTests {
    private func read(_ query: String) throws -> CallbackQuery {
        try CallbackQuery(items: HTTPURL("https://example.com/c?" + query).queryItems)
    }

    @Test("Names of parameters are compared as bytes, at the same cost whatever they are")
    func costs() throws {
        func read(_ name: String) throws {
            let items = [(name: name + "a", value: "1"), (name: name + "b", value: "2"), (name: "amount", value: "1")]
            _ = try CallbackQuery(items: items)
            _ = try CallbackQuery(items: [], body: [name + "a": 1, name + "b": 2, "amount": 1])
        }
        let (costly, plain) = (CostlyText.marks(7_993), CostlyText.plain(7_993))
        #expect(try Waiting.costs(of: { try read(costly) }, comparedWith: { try read(plain) }) < 4)
        #expect(throws: CallbackFault.amountMissing) { try CallbackQuery(items: [("amount\u{34f}", "1")]) }
    }

    @Test("An amount is digits from 1 to 2^63-1", arguments: [1, 1000, 9_223_372_036_854_775_807])
    func amounts(msat: UInt64) throws {
        #expect(try read("amount=\(msat)") == CallbackQuery(amount: Millisatoshi(msat)))
    }

    @Test(
        "Any other amount is refused",
        arguments: [
            ("", .amountMissing), ("Amount=1000", .amountMissing), ("x=1", .amountMissing),
            ("amount=", .amountNotDigits), ("amount", .amountNotDigits), ("amount=-1", .amountNotDigits),
            ("amount=%2B1000", .amountNotDigits), ("amount=+1000", .amountNotDigits),
            ("amount=1000+", .amountNotDigits),
            ("amount=1e3", .amountNotDigits), ("amount=0x3e8", .amountNotDigits), ("amount=1000.0", .amountNotDigits),
            ("amount=1,000", .amountNotDigits), ("amount=1_000", .amountNotDigits), ("amount=%D9%A1", .amountNotDigits),
            ("amount=1000msat", .amountNotDigits), ("amount=0", .amountZero), ("amount=000", .amountZero),
            ("amount=9223372036854775808", .amountTooLarge), ("amount=18446744073709551616", .amountTooLarge),
            ("amount=99999999999999999999999999", .amountTooLarge),
            ("amount=1&amount=1", .repeated(.amount)), ("amount=1&amount=", .repeated(.amount)),
            ("amount=1&comment=a&comment=b", .repeated(.comment)),
            ("amount=1&payerdata=a&payerdata=a", .repeated(.payerData)),
        ] as [(String, CallbackFault)]
    )
    func refused(query: String, fault: CallbackFault) {
        #expect(throws: fault) { try read(query) }
    }

    @Test("Unknown parameters are passed over, repeated ones too")
    func unknownParameters() throws {
        #expect(
            try read("nonce=1&nonce=2&__n=3&lnurl=lnurl1&amount=21&fromnodes=x")
                == CallbackQuery(amount: Millisatoshi(21))
        )
    }

    @Test("In a query %20 and + are both a space", arguments: ["hello%20world", "hello+world"])
    func spaces(comment: String) throws {
        #expect(try read("amount=1&comment=\(comment)").comment == "hello world")
    }

    @Test("An empty comment is none")
    func emptyComment() throws {
        #expect(try read("amount=1&comment=&payerdata=") == CallbackQuery(amount: Millisatoshi(1)))
    }

    @Test("Payer data are kept byte for byte after one URL-decoding")
    func payerDataText() throws {
        let query = try read("amount=1&payerdata=%7B%22name%22%3A%20%22a%2Bb+c%5C%2F%22%7D")
        #expect(query.payerData == #"{"name": "a+b c\/"}"#)
    }

    @Test("A question is appended to the callback's own query, in order, and read again")
    func url() throws {
        let query = CallbackQuery(
            amount: Millisatoshi(21_000),
            comment: "a&b=c +é⚡",
            payerData: #"{"name":"bob"}"#
        )
        let plain = query.url(on: try HTTPURL("https://example.com/c"))
        #expect(
            plain.text == "https://example.com/c?amount=21000&comment=a%26b%3Dc%20%2B%C3%A9%E2%9A%A1"
                + "&payerdata=%7B%22name%22%3A%22bob%22%7D"
        )
        let queried = query.url(on: try HTTPURL("https://example.com/c?id=7"))
        #expect(queried.text.hasPrefix("https://example.com/c?id=7&amount=21000&comment="))
        #expect(try CallbackQuery(items: queried.queryItems) == query)
    }

    @Test("A POST carries the same parameters as JSON (LUD-26)")
    func body() throws {
        let query = CallbackQuery(amount: Millisatoshi(21_000), comment: "hi", payerData: "{}")
        #expect(query.body.serialized() == #"{"amount":21000,"comment":"hi","payerdata":"{}"}"#)
        #expect(try CallbackQuery(body: query.body) == query)
        #expect(try CallbackQuery(body: ["amount": "21000", "comment": .null, "x": 1]).amount == Millisatoshi(21_000))
    }

    @Test("The callback's own query counts beside the body of a POST")
    func bodyAndQuery() throws {
        #expect(try CallbackQuery(items: [("comment", "hi")], body: ["amount": 1]).comment == "hi")
        #expect(throws: CallbackFault.repeated(.amount)) {
            try CallbackQuery(items: [("amount", "1")], body: ["amount": 1])
        }
    }

    @Test(
        "A body that breaks a rule is refused",
        arguments: [
            ("[]", .bodyNotAnObject), ("{}", .amountMissing), (#"{"amount":null}"#, .amountMissing),
            (#"{"amount":1000.0}"#, .amountNotDigits), (#"{"amount":1e3}"#, .amountNotDigits),
            (#"{"amount":-1}"#, .amountNotDigits), (#"{"amount":"0x10"}"#, .amountNotDigits),
            (#"{"amount":0}"#, .amountZero), (#"{"amount":18446744073709551615}"#, .amountTooLarge),
            (#"{"amount":true}"#, .malformed(.amount)), (#"{"amount":[1]}"#, .malformed(.amount)),
            (#"{"amount":1,"comment":2}"#, .malformed(.comment)),
            (#"{"amount":1,"payerdata":{"name":"bob"}}"#, .malformed(.payerData)),
            (#"{"amount":1,"comment":"a\u0000"}"#, .zero(.comment)),
            (#"{"amount":1,"payerdata":"\u0000"}"#, .zero(.payerData)),
        ] as [(String, CallbackFault)]
    )
    func refusedBody(text: String, fault: CallbackFault) throws {
        let body = try JSONValue(parsing: text)
        #expect(throws: fault) { try CallbackQuery(body: body) }
    }
}

@Suite("Comments (LUD-12)", .timeLimit(.minutes(5)))
struct CommentTests {
    @Test(
        "As many characters as allowed fit, whatever their bytes; one more does not",
        arguments: ["a", "é", "⚡", "😀", "👍🏽", "🇸🇻", "👨‍👩‍👧‍👦", "e\u{301}"]
    )
    func characters(character: String) {
        #expect(Comment.fits(String(repeating: character, count: 255), allowed: 255))
        #expect(!Comment.fits(String(repeating: character, count: 256), allowed: 255))
    }

    @Test("Marks piled on a letter fit up to 40 bytes for each allowed character")
    func piledMarks() {
        // Of 2 bytes each.
        func piled(_ letters: String, _ marks: Int) -> String { letters + String(repeating: "\u{301}", count: marks) }
        #expect(piled("e", 20).count == 1)
        #expect(Comment.fits(piled("e", 19), allowed: 1))
        #expect(!Comment.fits(piled("e", 20), allowed: 1))
        #expect(Comment.fits(piled("ee", 39), allowed: 2))
        #expect(!Comment.fits(piled("eee", 39), allowed: 2))
        #expect(!Comment.fits(piled("e", 40), allowed: 2))
        #expect(Comment.fits(piled("e", 199), allowed: 10))
        #expect(!Comment.fits(piled("e", 200), allowed: 10))
    }

    @Test("Where no comment is allowed, only the empty one fits")
    func none() {
        #expect(Comment.fits("", allowed: 0))
        #expect(!Comment.fits("a", allowed: 0))
        #expect(Comment.fits("a", allowed: .max))
    }
}
