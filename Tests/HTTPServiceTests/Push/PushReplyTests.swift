@testable import Devices
import LightningCoding
import LightningCrypto
import OutboundHTTP
import Platform
import PostgreSQLCluster
import PostgreSQLLedger
import PushProviders
import Registrations
import ResponderModel
import Testing
import Waiting

@Suite(
    "Replies of pushed devices, with two instances", .timeLimit(.minutes(5)),
    .enabled(if: PostgreSQLCluster.isWanted, "\(PostgreSQLCluster.missing ?? "")"))
struct PushReplyTests {
    private struct Instance: Sendable {
        let ledger: ServerLedger
        let delivery: PushDelivery
    }

    private let apns: APNsStandIn
    private let instances: [Instance]
    private let database: Database

    init() async throws {
        let key = try P256SecretKey([UInt8](repeating: 0x42, count: 32))
        let apns = try await APNsStandIn(
            key: key.publicKey, keyID: "ABC123DEFG", team: "DEF123GHIJ", topics: ["com.example.wallet"])
        let cluster = try await PostgreSQLCluster.shared()
        let settings = try ServerSettings(url: cluster.url(await cluster.makeDatabase()))
        try await ServerLedger.migrate(settings)
        var instances: [Instance] = []
        for _ in 0..<2 {
            var client = HTTPClient.Configuration()
            client.http2 = .priorKnowledge
            let ledger = try await ServerLedger.open(settings, lanes: 4)
            let provider = APNsProvider(
                key: try APNsKey(id: "ABC123DEFG", team: "DEF123GHIJ", key), topic: "com.example.wallet",
                servers: [.production: try apns.url], client: client, tokensIn: ledger)
            var delivery = PushDelivery.Settings(
                replyBase: try HTTPURL("https://nds.example.com/api/v1/response"), collapseSecret: SecretBytes([1]))
            delivery.replyTime = .seconds(30)
            instances.append(
                Instance(
                    ledger: ledger,
                    delivery: PushDelivery(
                        delivery, sender: PushSender(apns: provider, fcm: nil, webPush: nil),
                        replies: AwaitedReplies(shared: ledger.sharedReplies) { Issue.record($0) },
                        slots: SharedSlots(1_000), ledger: ledger)))
        }
        self.apns = apns
        self.instances = instances
        database = try await Database.open(settings, lanes: 1)
    }

    /// A request to a device of its own, whose hexadecimal digits are that number of four digits.
    private func ask(_ number: Int, at instance: Int) async throws -> PushAnswer {
        let body = #"{"event":"invoice.request","data":{"offer":"lno1","invoiceRequest":"\#(number)"}}"#
        let request = try NotifyRequest(
            query: [("platform", "ios"), ("token", String(repeating: "\(number)", count: 16))], body: Array(body.utf8))
        return await instances[instance].delivery.answer(request, from: ClientNetwork(nil))
    }

    /// The requests that devices were sent: the id to reply to, by the number in each.
    private func asked() throws -> [Int: ReplyID] {
        try apns.accepted.reduce(into: [:]) { ids, push in
            let payload = try JSONValue(parsing: try #require(push.body["notification_payload"]?.string))
            let number = try #require(payload["invoice_request"]?.string.flatMap { Int($0) })
            ids[number] = payload["reply_url"]?.string?.split(separator: "/").last.flatMap { ReplyID($0) }
        }
    }

    private func expected() async throws -> Int {
        try await database.read(Query("SELECT 1 FROM expected_reply")).count
    }

    @Test("Replies reach their own requests, whichever instance these asked, and leave nothing behind")
    func notCrossed() async throws {
        let listening = instances.map { instance in
            Task { await instance.delivery.replies.run() }
        }
        defer { for task in listening { task.cancel() } }
        try await withThrowingTaskGroup(of: (Int, PushAnswer).self) { group in
            for number in 1000..<1020 { group.addTask { (number, try await ask(number, at: number % 2)) } }
            try await eventually { try asked().count == 20 }
            for (number, id) in try asked() {
                // Each device posts to the other instance.
                let other = instances[1 - number % 2].delivery
                #expect(await other.receive(Array("{\"invoice\":\"\(number)\"}".utf8), for: id))
                #expect(await other.receive([], for: id) == false)
            }
            for try await (number, answer) in group {
                #expect(answer == .replied(Array("{\"invoice\":\"\(number)\"}".utf8)))
            }
        }
        try await eventually { try await expected() == 0 }
    }

    @Test("A reply to a request that has ended is refused by every instance")
    func ended() async throws {
        let waiting = Task { try await ask(1000, at: 0) }
        try await eventually { try asked().count == 1 }
        let id = try #require(try asked()[1000])
        await instances[0].delivery.replies.stop()
        #expect(try await waiting.value == .silent)
        try await eventually { try await expected() == 0 }
        for instance in instances { #expect(await instance.delivery.receive([1], for: id) == false) }
    }
}

extension PushDelivery {
    fileprivate func receive(_ reply: [UInt8], for id: ReplyID) async -> Bool {
        if await replies.accept(DeviceReply(reply), for: id) { return true }
        return await replies.hand(DeviceReply(reply), for: id)
    }
}
