import LedgerRecords
import HTTPTypes
import LNURL
import LightningCoding
import LightningCrypto
import Platform
import Registrations
import ResponderModel
import SQLiteLedger
import Testing
import Waiting
@testable import HTTPService

@Suite("Payers of app users", .timeLimit(.minutes(5)))
struct GatewayPayerTests {
    @Test("A payer gets limits, an invoice, and whether it is paid, from the phone")
    func whole() async throws {
        let phone = try await Phone.registered()
        let (fixture, device) = (phone.fixture, phone.device)
        let info = try await fixture.ask("/.well-known/lnurlp/Phone")
        #expect(info.status == 200 && info.headers[.accessControlAllowOrigin] == "*")
        let request = try PayRequest(json: info.json())
        #expect(request.metadata == TestDevice.metadata && request.commentAllowed == 256)
        let mark = MetadataMark(of: TestDevice.metadata).number
        #expect(request.callback.text == "https://example.com/lnurlpay/phone/v\(mark)/invoice")
        let asked = try await device.question(0)
        #expect(asked["template"] == "lnurlpay_info")
        #expect(asked["data"]?["callback_url"] == "https://example.com/lnurlpay/phone/invoice")

        let path = "\(request.callback.path)?amount=21000&comment=hi&nostr=%7B%7D"
        let invoice = try await fixture.ask(path).json()
        #expect(invoice["pr"]?.string == (try device.invoice(Millisatoshi(21_000))))
        let data = try await device.question(1)["data"]
        #expect(data?["amount"] == 21_000 && data?["comment"] == "hi" && data?["nostr"] == "{}")
        #expect(data?["verify_url"] == "https://example.com/lnurlpay/phone/{payment_hash}")

        let verify = try HTTPURL(try #require(invoice["verify"]?.string)).path
        #expect(verify.hasPrefix("/lnurlpay/phone/"))
        #expect(try verify.hasSuffix("/\(TestDevice.paymentHash)"))
        #expect(try await fixture.ask(verify).json()["settled"] == false)
        #expect(try await device.question(2)["template"] == "lnurlpay_verify")
    }

    @Test("A payer who knows only the key, as in the LNURL of the registration, is answered too")
    func byKey() async throws {
        let phone = try await Phone.registered()
        let (fixture, device) = (phone.fixture, phone.device)
        let request = try PayRequest(json: try await fixture.ask("/lnurlp/\(device.publicKey)").json())
        let mark = MetadataMark(of: TestDevice.metadata).number
        #expect(request.callback.path == "/lnurlpay/\(device.publicKey)/v\(mark)/invoice")
        let invoice = try await fixture.ask("\(request.callback.path)?amount=1000").json()
        #expect(invoice["pr"]?.string == (try device.invoice(Millisatoshi(1000))))
        let verify = try await phone.verifyPath(by: device.publicKey)
        #expect(verify.hasPrefix("/lnurlpay/\(device.publicKey)/"))
        #expect(try await fixture.ask(verify).json()["settled"] == false)
        let stranger = try SecretKey(Array(repeating: 9, count: 32)).publicKey
        #expect(try await fixture.ask("/lnurlp/\(stranger)").reason == Refusal.unknownAccount.reason)
    }

    @Test("HEAD wakes no phone")
    func head() async throws {
        let phone = try await Phone.registered()
        let (fixture, key) = (phone.fixture, phone.device.publicKey)
        for name in ["phone", key] {
            let verify = try await phone.verifyPath(by: name)
            let asked = phone.device.questions.count
            for path in [
                "/lnurlp/\(name)", "/.well-known/lnurlp/\(name)", "/lnurlpay/\(name)/invoice?amount=1000", verify,
            ] {
                let answer = try await fixture.ask(path, .head)
                #expect(answer.status == 200 && answer.body.isEmpty, "\(path)")
            }
            #expect(phone.device.questions.count == asked)
        }
    }

    @Test("What is outside the limits that a phone has given lately does not wake it, and what is inside does")
    func knownLimits() async throws {
        let phone = try await Phone.registered()
        let (fixture, device) = (phone.fixture, phone.device)
        func invoice(_ query: String) async throws -> Answer {
            try await fixture.ask("/lnurlpay/phone/invoice?\(query)")
        }
        let (long, fitting) = (String(repeating: "x", count: 257), String(repeating: "x", count: 256))
        // Nothing is known yet.
        #expect(try await invoice("amount=999").json()["pr"] != nil)
        #expect(try await invoice("amount=1000&comment=\(long)").json()["pr"] != nil)
        device.maximumAge.withLock { $0 = 60 }
        _ = try await fixture.ask("/lnurlp/phone")
        let asked = device.questions.count
        for amount in ["999", "25000000001"] {
            #expect(
                try await invoice("amount=\(amount)").reason == "The amount must be between 1000 and 25000000000 msat")
        }
        #expect(try await invoice("amount=1000&comment=\(long)").reason == "The comment has more than 256 characters")
        #expect(device.questions.count == asked)
        for query in ["amount=1000&comment=\(fitting)", "amount=25000000000"] {
            #expect(try await invoice(query).json()["pr"] != nil)
        }
        #expect(device.questions.count == asked + 2)
    }

    @Test("Statements that are refused for one reason are one line of the log")
    func refusals() async throws {
        let log = RecordingLog(at: nil)
        let phone = try Phone(try await GatewayFixture(logger: log.logger))
        for number in 1...20 as ClosedRange<Int64> {
            try await phone.fixture.register(phone.device, as: "phone", time: 1_000 + number)
        }
        #expect(log.lines.count { $0.all.contains("registration refused") } == 1)
        try await phone.fixture.register(phone.device, as: "..")
        #expect(log.lines.count { $0.all.contains("registration refused") } == 2)
    }

    @Test("That an invoice is paid is asked once, also after a restart")
    func paid() async throws {
        let phone = try await Phone.registered()
        phone.device.isPaid.withLock { $0 = true }
        let path = try await phone.verifyPath()
        for _ in 0..<3 {
            let answer = try await phone.fixture.ask(path)
            #expect(try answer.json()["preimage"] == .hexadecimal(TestDevice.preimage))
        }
        #expect(phone.device.questions.count == 2)
        let id = RegistrationID(phone.device.key.publicKey, at: phone.fixture.domain.name)
        let kept = try await phone.fixture.service.ledger.paidInvoice(TestDevice.paymentHash, of: id)
        #expect(kept?.preimage.bytes == TestDevice.preimage)
        // Another one on the same ledger, which has nothing in memory.
        let restarted = try await GatewayFixture(on: phone.fixture.service)
        #expect(try await restarted.ask(path).json()["preimage"] == .hexadecimal(TestDevice.preimage))
        #expect(phone.device.questions.count == 2)
    }

    @Test("Limits are asked again when the phone has registered anew, whatever its last reply said")
    func renewal() async throws {
        let phone = try await Phone.registered()
        phone.device.maximumAge.withLock { $0 = 86_400 }
        for _ in 0..<2 { _ = try await phone.fixture.ask("/lnurlp/phone") }
        #expect(phone.device.questions.count == 1)
        try await phone.fixture.register(phone.device, as: "phone", time: 1)
        _ = try await phone.fixture.ask("/lnurlp/phone")
        #expect(phone.device.questions.count == 2)
    }

    @Test(
        "A reply that breaks a rule is not passed on; the payer is told what to do",
        arguments: [
            "<html>", "{}", #"{"pr":"lnbc1","routes":[]}"#, "wrong amount", "wrong network", "wrong metadata",
        ])
    func hostileReplies(body: String) async throws {
        let phone = try await Phone.registered()
        let device = phone.device
        let made: [String: () throws -> String] = [
            "wrong amount": { try device.invoice(Millisatoshi(22_000)) },
            "wrong network": { try device.invoice(Millisatoshi(21_000), network: .bitcoin) },
            "wrong metadata": { try device.invoice(Millisatoshi(21_000), metadata: "x") },
        ]
        let reply = try made[body].map { #"{"pr":"\#(try $0())","routes":[]}"# } ?? body
        device.behavior.withLock { $0 = .says(reply) }
        let mark = MetadataMark(of: TestDevice.metadata).number
        let answer = try await phone.fixture.ask("/lnurlpay/phone/v\(mark)/invoice?amount=21000")
        #expect(answer.status == 200 && answer.reason == DeviceRefusal.unusable.reason)
    }

    @Test("What the phone refuses is refused in its words")
    func refusal() async throws {
        let phone = try await Phone.registered()
        let verify = try await phone.verifyPath()
        for (path, reason) in [
            ("/lnurlpay/phone/invoice?amount=1", "Invalid amount requested 1"), (verify, "Node is syncing"),
            (verify, "Not found"),
        ] {
            phone.device.behavior.withLock { $0 = .says(#"{"status":"ERROR","reason":"\#(reason)"}"#) }
            #expect(try await phone.fixture.ask(path).reason == reason)
        }
    }

    @Test("A webhook that redirects, fails or is gone is not waited for", arguments: [301, 302, 307, 404, 410, 500])
    func statuses(status: Int) async throws {
        let phone = try await Phone.registered()
        phone.device.behavior.withLock { $0 = .status(status) }
        #expect(try await phone.fixture.ask("/lnurlp/phone").reason == DeviceRefusal.unreachable.reason)
        #expect(phone.device.questions.count == 1)
    }

    @Test("A phone that does not answer costs the payer the whole time, and its late reply is refused")
    func silence() async throws {
        let phone = try await Phone.registered(time: .milliseconds(300))
        phone.device.behavior.withLock { $0 = .silent }
        #expect(try await phone.fixture.ask("/lnurlp/phone").reason == DeviceRefusal.silent.reason)
        let url = try #require(phone.device.questions[0]["data"]?["reply_url"]?.string)
        let late = try await phone.fixture.ask(HTTPURL(url).path, .post, body: "{}")
        #expect(late.status == 500 && late.body == "unknown request id\n")
    }

    @Test("A reply counts once, under its own id, and any content type is taken")
    func replies() async throws {
        let phone = try await Phone.registered()
        let fixture = phone.fixture
        phone.device.behavior.withLock { $0 = .silent }
        async let answer = fixture.ask("/lnurlpay/phone/invoice?amount=1000")
        let url = try HTTPURL(try #require(try await phone.device.question(0)["data"]?["reply_url"]?.string))
        #expect(url.text.hasPrefix("https://example.com/response/"))
        let reply = #"{"pr":"\#(try phone.device.invoice(Millisatoshi(1000)))","routes":[]}"#
        let other = try await fixture.ask("/response/1", .post, body: reply)
        #expect(other.status == 500 && other.body == "unknown request id\n")
        let bad = try await fixture.ask("/response/abc", .post, body: reply)
        #expect(bad.status == 400 && bad.body == "invalid response\n")
        let first = try await fixture.ask(url.path, .post, body: reply)
        #expect(first.status == 200 && first.body.isEmpty)
        #expect(try await fixture.ask(url.path, .post, body: reply).status == 500)
        #expect(try await answer.json()["routes"] == [])
    }

    @Test("A reply to one phone's question cannot answer another's")
    func crossing() async throws {
        let fixture = try await GatewayFixture()
        let (one, two) = (try Phone(fixture), try Phone(fixture, number: 0x22))
        try await fixture.register(one.device, as: "one")
        try await fixture.register(two.device, as: "two")
        for phone in [one, two] { phone.device.behavior.withLock { $0 = .silent } }
        async let first = fixture.ask("/lnurlpay/one/invoice?amount=1000")
        async let second = fixture.ask("/lnurlpay/two/invoice?amount=2000")
        var paths: [String] = []
        for phone in [one, two] {
            let url = try #require(try await phone.device.question(0)["data"]?["reply_url"]?.string)
            paths.append(try HTTPURL(url).path)
        }
        let reply = #"{"pr":"\#(try two.device.invoice(Millisatoshi(2000)))","routes":[]}"#
        #expect(try await fixture.ask(paths[0], .post, body: reply).status == 200)
        #expect(try await first.reason == DeviceRefusal.unusable.reason)
        #expect(fixture.gateway.channel.waiting == (1, 1))
        #expect(try await fixture.ask(paths[1], .post, body: reply).status == 200)
        #expect(try await second.json()["pr"]?.string == (try two.device.invoice(Millisatoshi(2000))))
    }

    @Test("A reply above 64 KiB is refused, and the question stays open")
    func hugeReply() async throws {
        let phone = try await Phone.registered()
        phone.device.behavior.withLock { $0 = .silent }
        async let answer = phone.fixture.ask("/lnurlpay/phone/invoice?amount=1000")
        let url = try HTTPURL(try #require(try await phone.device.question(0)["data"]?["reply_url"]?.string))
        let huge = String(repeating: " ", count: 65_537)
        #expect(try await phone.fixture.ask(url.path, .post, body: huge).status == 413)
        let reply = #"{"pr":"\#(try phone.device.invoice(Millisatoshi(1000)))"}"#
        #expect(try await phone.fixture.ask(url.path, .post, body: reply).status == 200)
        #expect(try await answer.json()["pr"] != nil)
    }

    @Test("Payers beyond the limit are told at once when to come again")
    func full() async throws {
        let phone = try await Phone.registered()
        phone.fixture.service.slots.total = 1
        phone.device.behavior.withLock { $0 = .silent }
        async let first = phone.fixture.ask("/lnurlp/phone")
        _ = try await phone.device.question(0)
        let second = try await phone.fixture.ask("/lnurlpay/phone/invoice?amount=1000")
        #expect(second.reason == DeviceRefusal.full.reason && second.headers[.retryAfter] == "30")
        await phone.fixture.gateway.channel.replies.stop()
        #expect(try await first.reason == DeviceRefusal.stopping.reason)
    }

    @Test("Names with a tag reach the same phone")
    func tags() async throws {
        let phone = try await Phone.registered()
        let request = try PayRequest(json: try await phone.fixture.ask("/lnurlp/phone+rent").json())
        #expect(request.callback.path.hasPrefix("/lnurlpay/phone/v"))
    }
}

@Suite("Registrations of app users", .timeLimit(.minutes(5)))
struct GatewayRegistrationTests {
    private func phone() async throws -> Phone { try Phone(try await GatewayFixture()) }

    @Test("A registration is answered with the LNURL of the key and the address of the name")
    func registered() async throws {
        let phone = try await phone()
        let answer = try await phone.fixture.register(phone.device, as: "Phone")
        #expect(answer.headers[.contentType] == "application/json")
        let json = try answer.json()
        let url = try EncodedURL.decode(try #require(json["lnurl"]?.string))
        #expect(url.text == "https://example.com/lnurlp/\(phone.device.publicKey)")
        #expect(json["lightning_address"] == "phone@example.com")
        #expect(json.object?.members.count == 2)
    }

    @Test("A name of an account, and a reserved one, is a conflict")
    func conflicts() async throws {
        let fixture = try await GatewayFixture(
            rules: RegistrationRules(reserved: [try AddressName("admin")], hold: 100))
        let phone = try Phone(fixture)
        try await fixture.service.put("alice", AccountSettings(description: "x", backend: .embedded))
        // `_` is the domain itself.
        for name in ["alice", "admin", "_"] {
            let answer = try await fixture.register(phone.device, as: name)
            #expect(answer.status == 409 && answer.body == "username conflict: \(name)\n")
        }
    }

    @Test(
        "A webhook at a private address, over plain http, at another port or with a password is refused",
        arguments: [
            "https://10.0.0.1/", "https://192.168.1.1/", "https://169.254.169.254/latest", "https://[fd00::1]/",
            "http://example.org/", "https://example.org:8443/", "https://user:password@example.org/", "ftp://x/", "",
        ])
    func privateWebhooks(url: String) async throws {
        let phone = try await phone()
        let answer = try await phone.fixture.register(phone.device, as: "phone", webhook: url)
        #expect(answer.status == 400 && answer.body.hasPrefix("invalid webhook_url: "))
        #expect(try await phone.fixture.ask("/lnurlp/phone").reason == Refusal.unknownAccount.reason)
    }

    @Test("A webhook at a route of the service itself is refused, unless it is the endpoint for push messages")
    func ownWebhooks() async throws {
        let phone = try await phone()
        for (url, status) in [
            ("https://example.com/lnurlpay/bob/invoice", 400), ("https://EXAMPLE.com:443/lnurlp/bob", 400),
            ("https://example.com/api/v1/notify?platform=ios&token=wkh_x", 200),
            ("https://example.org/lnurlp/bob", 200),
        ] {
            let answer = try await phone.fixture.register(phone.device, as: nil, webhook: url)
            #expect(answer.status == status, "\(url)")
            if status == 400 { #expect(answer.body == "invalid webhook_url: it is this service's own\n") }
        }
    }

    @Test("A body of a megabyte is not read")
    func hugeBody() async throws {
        let phone = try await phone()
        let body = #"{"time":1,"x":""# + String(repeating: "x", count: 1 << 20) + #""}"#
        let answer = try await phone.fixture.ask("/lnurlpay/\(phone.device.publicKey)", .post, body: body)
        #expect(answer.status == 400 && answer.body == "invalid json\n")
    }

    @Test("One network registers twenty times an hour, and is then told when to come again")
    func rate() async throws {
        let rates = ServiceRates([.registration: RateLimit(burst: 20, interval: .seconds(180))])
        let service = try await TestService(rates: rates, hasAlice: false)
        let admission = Admission(rates, metrics: service.metrics, clock: ManualClock().clock)
        let peer = IPAddress("203.0.113.7")
        for _ in 0..<20 { #expect(admission.wait(for: .registration, peer: peer, forwardedFor: []) == nil) }
        #expect(admission.wait(for: .registration, peer: peer, forwardedFor: []) == 180)
        #expect(admission.wait(for: .registration, peer: IPAddress("203.0.113.8"), forwardedFor: []) == nil)
    }

    @Test("Where there are no app users the routes do not exist")
    func off() async throws {
        let service = try await TestService()
        let device = try TestDevice(now: { UnixTime(0) }) { _, _, _ in }
        for (method, path) in [
            (.post, "/lnurlpay/\(device.publicKey)"), (.delete, "/lnurlpay/\(device.publicKey)"),
            (.post, "/response/1"), (.post, "/bolt12offer/\(device.publicKey)"), (.get, "/lnurlpay/available/bob"),
        ] as [(HTTPRequest.Method, String)] {
            let answer = try await service.ask(path, method: method, body: "{}")
            #expect(answer.reason != nil, "\(method) \(path): \(answer.status) \(answer.body)")
        }
    }
}
