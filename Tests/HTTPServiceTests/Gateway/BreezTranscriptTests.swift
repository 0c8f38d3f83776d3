import HTTPTypes
import LNURL
import LightningCoding
import OutboundHTTP
import Platform
import Registrations
import ResponderModel
import Testing
import Waiting
@testable import HTTPService

/// A webhook that is answered as the recorded one was, and a device that replies as the recorded one did: twice.
private final class RecordedDevice: Sendable {
    private struct State {
        var exchange: RecordedExchange?
        var question: JSONValue?
        var replies: [Int] = []
    }

    private let state = Guarded(State())
    let reply = Guarded<(@Sendable (_ path: String, _ body: String) async -> Int)?>(nil)

    var question: JSONValue? { state.withLock { $0.question } }
    var replies: [Int] { state.withLock { $0.replies } }

    func begin(_ exchange: RecordedExchange) {
        state.withLock { $0 = State(exchange: exchange) }
    }

    /// Takes a question, and replies before the webhook answers.
    func post(_ body: [UInt8]) async -> OutboundHTTP.HTTPResponse {
        guard let exchange = state.withLock({ $0.exchange }), let question = try? JSONValue(parsing: body) else {
            return .init(status: 400, body: [])
        }
        state.withLock { $0.question = question }
        for (name, status) in [("webhook 500", 500), ("webhook 201", 201)] where exchange.name == name {
            return .init(status: status, body: [])
        }
        guard let reply = reply.withLock({ $0 }),
            let url = question["data"]?["reply_url"]?.string.flatMap({ try? HTTPURL($0) })
        else { return .init(status: 400, body: []) }
        for _ in 0..<2 {
            let status = await reply(url.path, exchange.body)
            state.withLock { $0.replies.append(status) }
        }
        return .init(status: 200, body: [])
    }
}

@Suite("The exchanges of breez-lnurl", .timeLimit(.minutes(5)))
struct BreezTranscriptTests {
    /// What is answered here in another way, and why.
    private struct Difference: Sendable {
        let status: Int
        let body: String
        let why: String
        var asks = Asked.same

        enum Asked {
            /// The same question is posted.
            case same
            /// Nothing is posted.
            case nothing
            /// The question, with the name folded.
            case folded
            /// The question, with the name in place of the key.
            case named
        }

        /// An ERROR with status 200, for a payer.
        static func error(_ reason: String, _ why: String, asks: Asked = .same) -> Difference {
            let body = ErrorResponse(reason: reason).json.serialized()
            return Difference(status: 200, body: body, why: why, asks: asks)
        }

        /// The answer to a wallet, with this name.
        static func registered(_ name: String, _ why: String) -> Difference {
            Difference(
                status: 200, body: #"{"lnurl":"\#(lnurl)","lightning_address":"\#(name)@pay.example.com"}"#, why: why)
        }
    }

    private static let lnurl =
        "lnurl1dp68gurn8ghj7urp0yhx27rpd4cxcefwvdhk6tmvde6hymrs9ucrxdrxxv6n2cnyvd3rwcmrxpskvdej8pjkvvmrvdjkywfkxy6kgwfsxc"
        + "urgcnzx43rycmpx4nrsdfev93rqe3svgmnqdpsxu6nsde3v9ssz06ewe"
    private static let sentence = "the reason is a sentence that says what to do"
    private static let json = "an empty body is not JSON, which wallets expect"

    private static let used = Difference(
        status: 401, body: "invalid signature\n", why: "a text that has recovered does not unregister")

    private static let differences: [String: Difference] = [
        "unknown id info": .error(Refusal.unknownAccount.reason, sentence),
        "unknown id .well-known": .error(Refusal.unknownAccount.reason, sentence),
        "register alice + offer (2nd, same)": .registered("alice", "an address is promised once it is in the DNS"),
        "register bob w/o offer after alice+offer": .registered("bob", "an address is promised once it is in the DNS"),
        "recover after": .registered("bob", "the name that was registered last is the name"),
        "register alice + offer (3rd)": Difference(
            status: 401, body: "invalid signature\n", why: "a newer statement has replaced this one"),
        "info": .error(DeviceRefusal.unusable.reason, "the recorded reply has no limits", asks: .folded),
        "info cached": .error(
            DeviceRefusal.unusable.reason, "a reply that cannot be used is not kept", asks: .folded),
        "info other path (not cached)": .error(
            DeviceRefusal.unusable.reason,
            "the recorded reply has no limits; who knows the key asks the same as others",
            asks: .named),
        "HEAD info": Difference(status: 200, body: "", why: "HEAD is answered as GET, without the body", asks: .folded),
        "OPTIONS info": Difference(status: 204, body: "", why: "web pages may ask (CORS)"),
        "invoice missing": .error(CallbackFault.amountMissing.reason, sentence),
        "invoice zero": .error(CallbackFault.amountZero.reason, sentence),
        "invoice neg": .error(CallbackFault.amountNotDigits.reason, sentence),
        "invoice float": .error(CallbackFault.amountNotDigits.reason, sentence),
        "invoice ok": .error(DeviceRefusal.unusable.reason, "the recorded reply has no invoice"),
        "invoice max u64": .error(
            CallbackFault.amountTooLarge.reason, "no payment has an amount of 64 bits", asks: .nothing),
        "verify": .error(Refusal.unknownInvoice.reason, "a payment hash has 32 bytes", asks: .nothing),
        "garbage reply passthrough": .error(
            Refusal.unknownInvoice.reason, "a payment hash has 32 bytes", asks: .nothing),
        "verify hash='recover'": .error(Refusal.unknownInvoice.reason, "a payment hash has 32 bytes", asks: .nothing),
        "GET bare": .error(PayerFault.unknownPath.reason, "a wallet gets an ERROR that it can show"),
        "response GET": Difference(
            status: 404, body: ErrorResponse(reason: PayerFault.unknownPath.reason).json.serialized(),
            why: "a wallet gets an ERROR that it can show"),
        "webhook 500": .error(DeviceRefusal.unreachable.reason, sentence),
        "webhook 201": .error(DeviceRefusal.unreachable.reason, sentence),
        "unregister other url": Difference(status: 200, body: "{}", why: json),
        "unregister": used,
        "unregister again": Difference(status: 200, body: "{}", why: json),
        "b12 register": Difference(
            status: 200, body: "{}", why: "no record is in the DNS, so no address is promised"),
        "b12 recover": Difference(status: 200, body: "{}", why: "no record is in the DNS, so no address is promised"),
        "b12 delete": used,
    ]

    private func fixture(_ device: RecordedDevice) async throws -> GatewayFixture {
        let fixture = try await GatewayFixture(
            url: "https://pay.example.com", network: .bitcoin, now: UnixTime(1_795_225_228)
        ) { body, _, _, _ in await device.post(body) }
        device.reply.withLock { reply in
            reply = { path, body in (try? await fixture.ask(path, .post, body: body).status) ?? 0 }
        }
        return fixture
    }

    @Test("have the same status, headers, body and question here, but for those that are named")
    func replay() async throws {
        let device = RecordedDevice()
        let fixture = try await fixture(device)
        let exchanges = try RecordedExchange.all()
        #expect(exchanges.count > 40)
        #expect(Set(Self.differences.keys).isSubset(of: exchanges.map(\.name)))
        for exchange in exchanges {
            device.begin(exchange)
            let answer = try await fixture.ask(exchange.path, exchange.method, body: exchange.sent)
            let difference = Self.differences[exchange.name]
            #expect(answer.status == difference?.status ?? exchange.status, "\(exchange.name)")
            #expect(answer.body == difference?.body ?? exchange.body, "\(exchange.name)")
            if difference == nil {
                for (name, value) in exchange.headers {
                    #expect(
                        HTTPField.Name(name).flatMap { answer.headers[$0] } == value, "\(exchange.name): \(name)")
                }
            }
            try await check(device, exchange, difference?.asks ?? .same)
            switch exchange.name {
            case "register alice + offer (3rd)": try await repeatLater(exchange, fixture)
            case "unregister": try await unregisterLater(exchange, fixture)
            default: break
            }
        }
    }

    /// Signs anew what was refused as a replay, so that what follows finds what was recorded.
    private func repeatLater(_ exchange: RecordedExchange, _ fixture: GatewayFixture) async throws {
        let wallet = try TestDevice(now: { fixture.service.clock.now }) { _, _, _ in }
        let sent = try BreezRequest(json: JSONValue(parsing: exchange.sent))
        let body = try wallet.registration(
            sent.username, offer: sent.offer, webhook: sent.webhook, time: sent.time + 1)
        let answer = try await fixture.ask(exchange.path, .post, body: body.serialized())
        #expect(answer.status == exchange.status && answer.body == exchange.body)
    }

    /// Signs anew what was refused since its text has recovered.
    private func unregisterLater(_ exchange: RecordedExchange, _ fixture: GatewayFixture) async throws {
        let wallet = try TestDevice(now: { fixture.service.clock.now }) { _, _, _ in }
        let sent = try BreezRequest(json: JSONValue(parsing: exchange.sent))
        let body = try wallet.statement(webhook: sent.webhook, time: sent.time + 1)
        let answer = try await fixture.ask(exchange.path, exchange.method, body: body.serialized())
        #expect(answer.status == 200 && answer.body == "{}")
    }

    private func check(
        _ device: RecordedDevice, _ exchange: RecordedExchange, _ asks: Difference.Asked
    ) async throws {
        var (asked, recorded) = (device.question.map(Self.withoutReplyURL), exchange.question.map(Self.withoutReplyURL))
        switch asks {
        case .same: break
        case .nothing: recorded = nil
        case .named:
            asked = asked.map { .string($0.serialized()) }
            recorded = recorded.map(Self.named)
        case .folded:
            // A reply that could be used would have been kept, and the names are those of one device.
            asked = asked.map(Self.folded)
            recorded = recorded.map(Self.folded) ?? asked
        }
        #expect(asked == recorded, "\(exchange.name)")
        if asked != nil, !exchange.name.hasPrefix("webhook ") {
            try await eventually { device.replies.count == 2 }
            #expect(device.replies == [200, 500], "\(exchange.name): the first reply counts")
        }
    }

    /// Without the reply URL, which ends in a random number.
    private static func withoutReplyURL(_ question: JSONValue) -> JSONValue {
        var data: JSONObject = [:]
        for member in question["data"]?.object?.members ?? [] where member.key != "reply_url" {
            data.append(member.key, member.value)
        }
        return ["template": question["template"] ?? .null, "data": .object(data)]
    }

    private static func named(_ question: JSONValue) -> JSONValue {
        let key = "034f355bdcb7cc0af728ef3cceb9615d90684bb5b2ca5f859ab0f0b704075871aa"
        return .string(question.serialized().replacing("/\(key)/", with: "/alice/"))
    }

    private static func folded(_ question: JSONValue) -> JSONValue {
        .string(question.serialized().replacing("/Alice/", with: "/alice/"))
    }

    /// Where a name is taken here and refused there, or the other way.
    private static let otherNames: [String: String] = [
        "a.B": "upper case is folded everywhere", "\"\"": "no character of LUD-16", "a/b": "ends a path segment",
        "user%name": "begins an escape",
    ]

    @Test("take the same names, but for those that are named")
    func names() async throws {
        let names = try RecordedExchange.names()
        #expect(names.count > 10)
        for (name, isTaken) in names {
            let fixture = try await GatewayFixture()
            let device = try TestDevice(now: { fixture.service.clock.now }) { _, _, _ in }
            let answer = try await fixture.register(device, as: name)
            #expect(
                (answer.status == 200) == (isTaken != (Self.otherNames[name] != nil)), "\(name): \(answer.body)")
        }
    }
}
