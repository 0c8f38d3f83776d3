import Devices
import LNURL
import LightningCoding
import LightningCrypto
import Registrations
import ResponderModel
import Testing

@Suite("What the documents say that wallets and devices post", .timeLimit(.minutes(5)))
struct DeviceBodyTests {
    private static let now = UnixTime(1_790_000_000)
    private static let domain = "pay.example.com"
    private let bodies: [JSONValue]

    init() throws {
        bodies = try ["docs/gateway.md", "docs/push.md"].flatMap { document in
            try Readme(document).blocks(in: "json").map { try JSONValue(parsing: Array($0.utf8)) }
        }
    }

    /// Each body with that member, in the order of the documents.
    private func bodies(with member: String) -> [JSONValue] { bodies.filter { $0[member] != nil } }

    @Test("A wallet's requests are signed by the key that is named")
    func statements() throws {
        let key = try SecretKey([UInt8](repeating: 0x11, count: 32)).publicKey.hexadecimal
        let operations: [BreezOperation] = [.register, .recover, .registerOffer, .recoverOffer]
        let requests = bodies(with: "signature")
        #expect(requests.count == operations.count)
        for (operation, body) in zip(operations, requests) {
            let request = try BreezRequest(json: body)
            _ = try BreezStatement(operation, request, by: key, at: Self.domain, now: Self.now)
        }
    }

    @Test("A device's questions are put as they are shown, and its replies pass every check")
    func replies() throws {
        let gateway = try Readme("docs/gateway.md")
        let questions = bodies(with: "data").filter { $0["data"]?["reply_url"] != nil }
        let replies = ["metadata", "routes", "settled", "invoice"].flatMap { bodies(with: $0) }
        #expect(questions.count == 4 && replies.count == 4)
        var metadata = ""
        for (question, reply) in zip(questions, replies) {
            let data = try #require(question["data"])
            func text(_ key: String) throws -> String { try #require(data[key]?.string) }
            var now = Self.now
            let asked: DeviceQuestion
            switch question["template"]?.string {
            case "lnurlpay_info": asked = .info(callback: try HTTPURL(text("callback_url")))
            case "lnurlpay_invoice":
                let query = CallbackQuery(
                    amount: Millisatoshi(try #require(data["amount"]?.uint64)), comment: try text("comment"))
                asked = .invoice(
                    DeviceQuestion.InvoiceQuestion(
                        query, shown: MetadataMark(of: metadata), verifyTemplate: try text("verify_url")))
            case "lnurlpay_verify":
                asked = .verify(try PaymentHash(Hexadecimal.decode(text("payment_hash"))))
            default:
                asked = .invoiceRequest(try Hexadecimal.decode(text("invoiceRequest")), offer: try text("offer"))
                now = UnixTime(1_800_000_000)
            }
            #expect(asked.envelope(replyURL: try HTTPURL(text("reply_url"))) == question)
            let body = reply.serializedBytes()
            let answer = try ReplyInspection(network: .bitcoin, now: now).answer(in: body, to: asked)
            guard case .info(let info) = answer else { continue }
            metadata = info.metadata
            #expect(gateway.text.contains("`\(Hexadecimal.encode(SHA256.hash(metadata.utf8)))`"))
        }
    }

    @Test("The registration of a device is signed over the lines that are shown")
    func registration() throws {
        let body = try #require(bodies(with: "secret_sha256").first?.object)
        let statement = try DeviceStatement(JSONMembers(body), of: #require(InstallID("phone-1")))
        try statement.check(for: Self.domain, at: Self.now)
        let push = try Readme("docs/push.md").text
        #expect(push.contains("\n```\n" + statement.text(for: Self.domain) + "\n```\n"))
        let secret = try #require(push.firstMatch(of: /`(wkd_[A-Za-z0-9_-]{43})`/)?.1)
        #expect(DeviceSecret(String(secret))?.hash == statement.profile.secretHash)
    }

    @Test("Every refusal of a device is in the table, with its sentence")
    func refusals() throws {
        let rows = try Readme("docs/push.md").rows(below: "status", "error", "message", "what to do").map {
            [Readme.words(in: $0[1]).first, Readme.words(in: $0[2]).first]
        }
        let refusals: [MessageCenterRefusal] = [
            .statement(.member("push_token", .malformed)), .unauthorized, .statement(.signature), .statement(.time),
            .statementReplaced, .tooManyDevices, .secretInUse, .gone, .body, .tooOften(retryAfter: 1), .tooManyWakes,
            .ledger(.full),
        ]
        #expect(rows == refusals.map { [$0.code, $0.reason] })
    }
}
