import Bolt11
import LNURL
import LightningCoding
import LightningCrypto
import Platform
import LoopbackServer
import OutboundHTTP
import Testing

/// A webhook on loopback that accepts notifications and posts replies, correct ones unless a test changes them.
final class NotifiedService: Sendable {
    /// The body posted to the reply URL; nil for none.
    typealias Reply = @Sendable (_ type: String, _ payload: JSONValue) throws -> PostedReply?

    static let metadata = #"[["text/plain","Alice"],["text/identifier","alice@example.com"]]"#

    private let server: LoopbackServer
    private let received: Guarded<[LoopbackRequest]>
    private let statuses: Guarded<[Int?]>

    var url: String { "http://127.0.0.1:\(server.port)/webhook/alice/s3cret" }
    var requests: [LoopbackRequest] { received.withLock { $0 } }
    /// How the tool has answered replies; nil for a lost connection.
    var replyStatuses: [Int?] { statuses.withLock { $0 } }

    init(status: Int = 200, _ answer: String = "", reply: @escaping Reply = { try PostedReply(to: $0, $1) }) throws {
        let received = Guarded<[LoopbackRequest]>([])
        self.received = received
        let statuses = Guarded<[Int?]>([])
        self.statuses = statuses
        let client = try HTTPClient()
        server = try LoopbackServer { request in
            received.withLock { $0.append(request) }
            guard status == 200 else { return LoopbackAnswer(status: status, answer) }
            do {
                let (type, payload) = try Self.read(request)
                guard let url = payload["reply_url"]?.string, let reply = try reply(type, payload) else {
                    return LoopbackAnswer(answer)
                }
                let target = try HTTPURL(try reply.path.map { "http://\(try HTTPURL(url).authority)\($0)" } ?? url)
                let post = HTTPRequest(.post, target, headers: reply.headers, body: Array(reply.body.utf8))
                Task {
                    let status = try? await client.send(post).status
                    statuses.withLock { $0.append(status) }
                }
                return LoopbackAnswer("")
            } catch {
                return LoopbackAnswer(status: 500, "\(error)", type: "text/plain")
            }
        }
    }

    /// The type and the payload, from each envelope.
    private static func read(_ request: LoopbackRequest) throws -> (String, JSONValue) {
        let json = try JSONValue(parsing: request.body)
        if let payload = json["data"] { return ((json["template"] ?? json["event"])?.string ?? "", payload) }
        let message = json["body"] ?? json
        return (
            message["notification_type"]?.string ?? "",
            try JSONValue(parsing: message["notification_payload"]?.string ?? "")
        )
    }
}

extension NotifiedService {
    /// Runs the tool to notify it.
    func notified(_ arguments: String...) async throws -> ToolRun {
        try await ToolRun(["notify", url] + arguments + ["--json"])
    }

    /// The body of the only request.
    func onlyBody() throws -> JSONValue {
        #expect(requests.count == 1)
        return try JSONValue(parsing: try #require(requests.first).body)
    }
}

/// A reply: the correct one for a notification, or another.
struct PostedReply: Sendable {
    var body: String
    var headers: [HTTPField] = [.jsonContent]
    /// Where it is posted, if not to the reply URL.
    var path: String?

    init(_ json: JSONValue, maxAge: Int? = nil, path: String? = nil) throws {
        body = json.serialized()
        self.path = path
        if let maxAge { headers.append(try HTTPField("Cache-Control", "max-age=\(maxAge)")) }
    }

    init(raw: String) {
        body = raw
    }

    /// The correct reply, with members added or replaced.
    init(to type: String, _ payload: JSONValue, _ changes: JSONObject = [:], maxAge: Int? = nil) throws {
        var object: JSONObject
        var usualAge: Int?
        switch type {
        case "lnurlpay_info":
            object = [
                "callback": payload["callback_url"] ?? .null, "minSendable": 1000, "maxSendable": 100_000,
                "metadata": .string(NotifiedService.metadata), "commentAllowed": 256, "tag": "payRequest",
            ]
            usualAge = 60
        case "lnurlpay_invoice":
            let text = try Self.invoice(amount: payload["amount"]?.uint64 ?? 0)
            let hash = try Bolt11Invoice(text).paymentHash.hexadecimal
            let parts = payload["verify_url"]?.string?.split(
                separator: "{payment_hash}", omittingEmptySubsequences: false)
            object = ["pr": .string(text), "routes": []]
            if let parts { object.append("verify", .string(parts.joined(separator: hash))) }
        case "lnurlpay_verify":
            object = [
                "status": "OK", "settled": false, "preimage": .null, "pr": .string(try Self.invoice(amount: 21_000)),
            ]
            usualAge = 3
        default:
            object = [:]
        }
        for member in changes.members { object[member.key] = member.value }
        try self.init(.object(object), maxAge: maxAge ?? usualAge)
    }

    static func invoice(amount: UInt64, metadata: String = NotifiedService.metadata) throws -> String {
        try Script.Draft(
            amount: Millisatoshi(amount), description: .hash(PayMetadata.descriptionHash(of: metadata))
        ).text
    }
}
