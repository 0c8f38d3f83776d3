import LNURL
import LightningCoding
import LightningCrypto
import Testing

@Suite("The first answer of LNURL-pay (LUD-06, LUD-12, LUD-18)", .timeLimit(.minutes(5)))
struct PayRequestTests {
    static let metadata = #"[["text/plain","Pay"],["text/identifier","alice@example.com"]]"#

    static func json(_ changes: [String: JSONValue?] = [:]) -> JSONValue {
        var object: JSONObject = [
            "callback": "https://example.com/lnurlpay/alice/v1/invoice",
            "minSendable": 1000,
            "maxSendable": 100_000_000,
            "metadata": .string(metadata),
            "tag": "payRequest",
        ]
        for (key, value) in changes { object[key] = value }
        return .object(object)
    }

    @Test("The body has plain integers and only members that say something")
    func body() throws {
        let request = try PayRequest(
            callback: HTTPURL("https://example.com/lnurlpay/alice/v1/invoice"),
            minSendable: Millisatoshi(1000),
            maxSendable: Millisatoshi(100_000_000),
            metadata: Self.metadata
        )
        #expect(
            request.json.serialized()
                == #"{"callback":"https://example.com/lnurlpay/alice/v1/invoice","minSendable":1000,"#
                + #""maxSendable":100000000,"metadata":"[[\"text/plain\",\"Pay\"],[\"text/identifier\","#
                + #"\"alice@example.com\"]]","tag":"payRequest"}"#
        )
        #expect(try PayRequest(json: request.json) == request)
    }

    @Test("Comments and payer data stand between metadata and tag, and are read again")
    func fullBody() throws {
        let k1 = try Challenge(Array(repeating: 7, count: 32))
        let request = try PayRequest(
            callback: HTTPURL("https://example.com/c"),
            minSendable: Millisatoshi(1),
            maxSendable: Millisatoshi(1),
            metadata: Self.metadata,
            commentAllowed: 255,
            payerData: PayerDataSpec([.name: .optional, .auth: .mandatory], k1: k1)
        )
        let object = try #require(request.json.object)
        #expect(
            object.members.map(\.key)
                == ["callback", "minSendable", "maxSendable", "metadata", "commentAllowed", "payerData", "tag"]
        )
        #expect(
            object["payerData"]?.serialized()
                == #"{"name":{"mandatory":false},"auth":{"mandatory":true,"k1":""#
                + String(repeating: "07", count: 32) + #""}}"#
        )
        #expect(try PayRequest(json: request.json) == request)
    }

    @Test("The key of zap receipts is served with the permission to zap, and counts only with it (NIP-57)")
    func zapKey() throws {
        let key = try XOnlyPublicKey([UInt8](repeating: 2, count: 32))
        let hexadecimal = String(repeating: "02", count: 32)
        let request = try PayRequest(
            callback: HTTPURL("https://example.com/c"), minSendable: Millisatoshi(1), maxSendable: Millisatoshi(1),
            metadata: Self.metadata, commentAllowed: 1, nostrKey: key)
        let text = request.json.serialized()
        #expect(text.contains(#""commentAllowed":1,"allowsNostr":true,"nostrPubkey":"\#(hexadecimal)","tag""#))
        #expect(try PayRequest(json: request.json) == request)
        for permission in [nil, false] as [JSONValue?] {
            let json = Self.json(["nostrPubkey": .string(hexadecimal), "allowsNostr": permission])
            #expect(try PayRequest(json: json).nostrKey == nil)
        }
    }

    @Test("The metadata are served as the very string that is hashed")
    func metadataBytes() throws {
        let served = #"[["text/plain", "a\/bé"]]"#
        let request = try PayRequest(json: Self.json(["metadata": .string(served)]))
        #expect(request.metadata == served)
        let reread = try JSONValue(parsing: request.json.serialized())
        #expect(reread["metadata"]?.string == served)
    }

    @Test("Numbers as strings, status OK and further members are let pass")
    func lenient() throws {
        let json = Self.json([
            "minSendable": "1000", "maxSendable": "100000000", "commentAllowed": "32", "status": "OK",
            "allowsNostr": true, "payerData": .null,
        ])
        let request = try PayRequest(json: json)
        #expect(request.minSendable == Millisatoshi(1000))
        #expect(request.commentAllowed == 32)
        #expect(request.payerData == nil)
        #expect(try PayRequest(json: Self.json(["commentAllowed": .null])).commentAllowed == 0)
    }

    @Test(
        "An answer that breaks a rule is refused",
        arguments: [
            (["minSendable": 0], .minimumIsZero),
            (["minSendable": 100_000_001], .minimumAboveMaximum),
            (["minSendable": -1], .malformed(.minSendable)),
            (["minSendable": "1e3"], .malformed(.minSendable)),
            (["minSendable": "+1000"], .malformed(.minSendable)),
            (["minSendable": ""], .malformed(.minSendable)),
            (["maxSendable": true], .malformed(.maxSendable)),
            (["maxSendable": nil], .missing(.maxSendable)),
            (["maxSendable": .null], .missing(.maxSendable)),
            (["callback": nil], .missing(.callback)),
            (["callback": 1], .malformed(.callback)),
            (["callback": "example.com/c"], .url(.callback, .unknownScheme)),
            (["callback": "http://example.com/c"], .clearnetHTTP(.callback)),
            (["metadata": nil], .missing(.metadata)),
            (["metadata": [["text/plain", "x"]]], .malformed(.metadata)),
            (["metadata": "[]"], .metadata(.missingPlainText)),
            (["commentAllowed": -1], .malformed(.commentAllowed)),
            (["commentAllowed": true], .malformed(.commentAllowed)),
            (["tag": nil], .missing(.tag)),
            (["tag": "withdrawRequest"], .wrongTag("withdrawRequest")),
            (["payerData": []], .malformed(.payerData)),
            (["payerData": ["auth": ["mandatory": false]]], .missing(.k1)),
            (["payerData": ["auth": ["k1": "00"]]], .malformed(.k1)),
            (["status": "ERROR", "reason": "No"], .refused(ErrorResponse(reason: "No"))),
        ] as [([String: JSONValue?], LNURLFault)]
    )
    func refused(changes: [String: JSONValue?], fault: LNURLFault) {
        #expect(throws: fault) { try PayRequest(json: Self.json(changes)) }
    }

    @Test("What is no object is refused", arguments: ["[]", "null", "\"x\"", "1"])
    func notAnObject(text: String) throws {
        let json = try JSONValue(parsing: text)
        #expect(throws: LNURLFault.notAnObject) { try PayRequest(json: json) }
    }

    @Test("An amount beyond 2^53 is kept exactly")
    func exactIntegers() throws {
        let json = Self.json(["maxSendable": 9_007_199_254_740_993])
        #expect(try PayRequest(json: json).maxSendable.msat == 9_007_199_254_740_993)
    }

    @Test("No wrong limits can be served, nor a signature asked for over nothing")
    func noWrongValue() throws {
        let callback = try HTTPURL("https://example.com/c")
        func request(_ least: UInt64, _ greatest: UInt64, _ spec: PayerDataSpec? = nil) throws(LNURLFault) {
            _ = try PayRequest(
                callback: callback,
                minSendable: Millisatoshi(least),
                maxSendable: Millisatoshi(greatest),
                metadata: Self.metadata,
                payerData: spec
            )
        }
        #expect(throws: LNURLFault.minimumIsZero) { try request(0, 1) }
        #expect(throws: LNURLFault.minimumAboveMaximum) { try request(2, 1) }
        #expect(throws: LNURLFault.missing(.k1)) { try request(1, 1, PayerDataSpec([.auth: .optional])) }
        #expect(throws: Never.self) { try request(1, 1, PayerDataSpec([.name: .optional])) }
    }
}

@Suite("The answer of a service that will not (LUD-01)", .timeLimit(.minutes(5)))
struct ErrorResponseTests {
    @Test("It has one shape")
    func shape() {
        #expect(ErrorResponse(reason: "Not \"now\"").json.serialized() == #"{"status":"ERROR","reason":"Not \"now\""}"#)
    }

    @Test(
        "It is known by its status, in any case; the reason may be missing",
        arguments: [
            (#"{"status":"ERROR","reason":"x"}"#, "x"), (#"{"reason":"x","status":"error"}"#, "x"),
            (#"{"status":"ERROR"}"#, ""), (#"{"status":"ERROR","reason":null}"#, ""),
        ]
    )
    func recognized(text: String, reason: String) throws {
        #expect(ErrorResponse(json: try JSONValue(parsing: text)) == ErrorResponse(reason: reason))
    }

    @Test(
        "Other bodies are none",
        arguments: [#"{"status":"OK"}"#, #"{"reason":"x"}"#, #"{"status":1}"#, #"["ERROR"]"#, "null"]
    )
    func notRecognized(text: String) throws {
        #expect(ErrorResponse(json: try JSONValue(parsing: text)) == nil)
    }

    @Test("Every kind of answer gives way to it")
    func everywhere() throws {
        let json = ErrorResponse(reason: "No").json
        let fault = LNURLFault.refused(ErrorResponse(reason: "No"))
        let callback = try HTTPURL("https://example.com/c")
        #expect(throws: fault) { try PayRequest(json: json) }
        #expect(throws: fault) { try PayInvoice(json: json, from: callback) }
        #expect(throws: fault) { try VerifyResponse(json: json) }
    }
}
