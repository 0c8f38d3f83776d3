import HTTPTypes
import LNURL
import LightningCoding
import ResponderModel
import Testing

@Suite("The payRequest (LUD-06, LUD-16)", .timeLimit(.minutes(5)))
struct PayInfoTests {
    @Test("Both paths return exactly the members of LUD-06", arguments: ["/.well-known/lnurlp/", "/lnurlp/"])
    func answer(prefix: String) async throws {
        let answer = try await TestService().ask(prefix + "alice")
        #expect(answer.status == 200)
        #expect(
            answer.body == #"{"callback":"https://example.com/lnurlpay/alice/v1/invoice","minSendable":1000,"#
                + #""maxSendable":10000000000,"metadata":"[[\"text/plain\",\"Pay Alice\"],"#
                + #"[\"text/identifier\",\"alice@example.com\"]]","commentAllowed":255,"tag":"payRequest"}"#
        )
    }

    @Test("Every web page may read the response, and caches may keep it as long as configured")
    func headers() async throws {
        let headers = try await TestService(infoMaxAge: 90).ask("/lnurlp/alice").headers
        #expect(headers[.contentType] == "application/json; charset=utf-8")
        #expect(headers[.accessControlAllowOrigin] == "*")
        #expect(headers[.cacheControl] == "max-age=90")
        #expect(try await TestService(infoMaxAge: 0).ask("/lnurlp/alice").headers[.cacheControl] == "no-store")
    }

    @Test("A response with a challenge is for one payer only: it is never cached")
    func challenge() async throws {
        let service = try await TestService { $0.payerData = PayerDataSpec([.auth: .mandatory]) }
        let one = try await service.ask("/lnurlp/alice")
        let other = try await service.ask("/lnurlp/alice")
        #expect(one.headers[.cacheControl] == "no-store")
        #expect(one.body != other.body)
        let k1 = try #require(try one.json()["payerData"]?["auth"]?["k1"]?.string)
        #expect(k1.utf8.count == 64)
    }

    @Test(
        "A name is found however it is encoded",
        arguments: [
            "alice", "ALICE", "%61lice", "alice/", "Alice?nonce=1&lnurl=x", "alice?", "alice%2Brent", "alice+rent",
        ]
    )
    func spellings(name: String) async throws {
        let answer = try await TestService().ask("/lnurlp/" + name)
        #expect(try answer.json()["tag"] == "payRequest")
    }

    @Test("A tag is in metadata and callback, and the payment goes to the name")
    func tag() async throws {
        let json = try await TestService().ask("/.well-known/lnurlp/alice+rent").json()
        #expect(json["callback"] == "https://example.com/lnurlpay/alice+rent/v1/invoice")
        #expect(
            json["metadata"]?.string
                == #"[["text/plain","Pay Alice"],["text/identifier","alice@example.com"],["text/tag","rent"]]"#
        )
    }

    @Test(
        "An unknown name gets status 200 and a reason",
        arguments: [
            "bob", "a%2Fb", "%2E%2E", "..", "%", "%zz", "%FF", String(repeating: "a", count: 300), "al%20ice", "+rent",
            "alice+", "%00",
        ]
    )
    func unknownName(name: String) async throws {
        let answer = try await TestService().ask("/.well-known/lnurlp/" + name)
        #expect(answer.status == 200)
        #expect(answer.reason == "No such Lightning address")
        #expect(answer.headers[.accessControlAllowOrigin] == "*")
        #expect(answer.headers[.cacheControl] == "no-store")
    }

    @Test(
        "An unknown path below these routes gets status 200 and a reason",
        arguments: [
            "/lnurlp/alice/x", "/.well-known/lnurlp/a/b/c", "/lnurlpay/alice", "/lnurlpay/alice/v1/x",
            "//lnurlp/alice", "/lnurlp",
        ]
    )
    func unknownPath(path: String) async throws {
        let answer = try await TestService().ask(path)
        #expect(answer.status == 200)
        #expect(answer.reason == "No such path")
    }

    @Test("Where nobody answers payers, their paths are like any other")
    func nobody() async throws {
        let router = try await TestService().router()
        for path in ["/lnurlp/alice", "/.well-known/lnurlp/alice", "/lnurlpay/alice/invoice?amount=1000"] {
            #expect(try await Answer(router, path, .get, [:], "").status == 404)
        }
    }

    @Test(
        "Other paths get 404, still in a form that a wallet can show",
        arguments: ["/", "/x", "/lnurl", "/accounts"])
    func elsewhere(path: String) async throws {
        let answer = try await TestService().ask(path)
        #expect(answer.status == 404)
        #expect(answer.reason == "No such path")
        #expect(answer.headers[.accessControlAllowOrigin] == "*")
    }

    @Test("HEAD gets the headers of GET and no body")
    func head() async throws {
        let service = try await TestService()
        let get = try await service.ask("/lnurlp/alice")
        let head = try await service.ask("/lnurlp/alice", method: .head)
        #expect(head.status == 200)
        #expect(head.body.isEmpty)
        #expect(head.headers[.contentLength] == get.headers[.contentLength])
        #expect(head.headers[.cacheControl] == "max-age=60")
    }

    @Test(
        "A preflight is allowed everything that the routes support",
        arguments: ["/lnurlp/alice", "/lnurlpay/a/invoice", "/"])
    func preflight(path: String) async throws {
        let answer = try await TestService().ask(path, method: .options)
        #expect(answer.status == 204)
        #expect(answer.headers[.accessControlAllowOrigin] == "*")
        #expect(answer.headers[.accessControlAllowMethods] == "GET, HEAD, POST, OPTIONS")
        #expect(answer.headers[.accessControlAllowHeaders] == "*, Authorization")
    }

    @Test(
        "Any other method gets the list of allowed ones, however rare it is",
        arguments: ["POST", "PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "PROPFIND"])
    func otherMethod(name: String) async throws {
        let method = try #require(HTTPRequest.Method(name))
        let answer = try await TestService().ask("/lnurlp/alice", method: method)
        #expect(answer.status == 200)
        #expect(answer.headers[.accessControlAllowOrigin] == "*")
        #expect(answer.reason == "This path answers GET, HEAD only")
    }

    @Test("Nothing of the Host header is returned")
    func hostHeader() async throws {
        let name = try #require(HTTPField.Name("X-Forwarded-Host"))
        let answer = try await TestService().ask("/lnurlp/alice", headers: [name: "evil.example"])
        #expect(!answer.body.contains("evil"))
        #expect(!answer.body.contains("//h/"))
    }

    @Test("The least amount is a sat, unless the account names another or its maximum is below that")
    func usualMinimum() async throws {
        func limits(_ change: (inout AccountSettings) -> Void) async throws -> [UInt64?] {
            let answer = try await TestService(change).ask("/lnurlp/alice").json()
            return [answer["minSendable"]?.uint64, answer["maxSendable"]?.uint64]
        }
        #expect(try await limits { _ in } == [1000, 10_000_000_000])
        #expect(try await limits { $0.minSendable = Millisatoshi(1) } == [1, 10_000_000_000])
        #expect(try await limits { $0.maxSendable = Millisatoshi(500) } == [500, 500])
    }

    @Test("An account whose limits do not overlap with its node's gets an ERROR, not min > max")
    func noLimits() async throws {
        let answer = try await TestService { $0.minSendable = Millisatoshi(20_000_000_000) }.ask("/lnurlp/alice")
        #expect(answer.status == 200)
        #expect(answer.reason == "Nothing can be received at the moment; please try again later")
    }
}
