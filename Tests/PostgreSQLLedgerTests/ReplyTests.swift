import LNURL
import LedgerContract
import LedgerRecords
import LightningCoding
import OutboundHTTP
import Platform
import PostgreSQLCluster
import PostgreSQLLedger
import Registrations
import ResponderModel
import Testing

@Suite(
    "Replies that reach another instance", .timeLimit(.minutes(5)),
    .enabled(if: PostgreSQLCluster.isWanted, "\(PostgreSQLCluster.missing ?? "")"))
struct ReplyTests {
    private let settings: ServerSettings
    private let one: ServerLedger
    private let two: ServerLedger

    init() async throws {
        settings = try await ServerLedger.settings()
        one = try await ServerLedger.open(settings)
        two = try await ServerLedger.open(settings)
    }

    private static let reply = DeviceReply([1, 2, 3], maxAge: 60)

    @Test("are handed to the one that expects them, once")
    func once() async throws {
        let (expected, ended, unknown) = (ReplyDigest(of: 1), ReplyDigest(of: 2), ReplyDigest(of: 3))
        try await one.expect(expected, within: .seconds(30))
        try await one.expect(ended, within: .seconds(30))
        try await one.forget(ended)
        #expect(try await two.hand(Self.reply, for: ended) == false)
        #expect(try await two.hand(Self.reply, for: unknown) == false)
        #expect(try await two.hand(Self.reply, for: expected))
        #expect(try await two.hand(DeviceReply([4]), for: expected) == false)
        #expect(try await one.handedOver() == [HandedReply(Self.reply, for: expected)])
        #expect(try await two.hand(Self.reply, for: expected) == false)
    }

    @Test("are refused once their time is over, and what nobody fetched is deleted a minute later")
    func late() async throws {
        let database = try await Database.open(settings, lanes: 1)
        try await one.expect(ReplyDigest(of: 1), within: .seconds(30))
        try await database.write(Query("UPDATE expected_reply SET until = clock_timestamp() - interval '59 seconds'"))
        #expect(try await two.hand(Self.reply, for: ReplyDigest(of: 1)) == false)
        func prune() async throws -> Int {
            _ = try await one.prune(before: Sample.start, under: one.held(.upkeep))
            return try await database.read(Query("SELECT 1 FROM expected_reply")).count
        }
        #expect(try await prune() == 1)
        try await database.write(Query("UPDATE expected_reply SET until = until - interval '1 second'"))
        #expect(try await prune() == 0)
        database.close()
    }

    @Test("come also when nobody tells of them")
    func untold() async throws {
        let database = try await Database.open(settings, lanes: 1)
        try await one.expect(ReplyDigest(of: 1), within: .seconds(30))
        let heard = Task { [one] in try await one.handedOver() }
        try await database.write(Query("UPDATE expected_reply SET body = $1", [.blob([7])]))
        #expect(try await heard.value == [HandedReply(DeviceReply([7]), for: ReplyDigest(of: 1))])
        database.close()
    }

    @Test("reach their own payers, whichever instance these asked")
    func notCrossed() async throws {
        let others = Guarded<[ReplyChannel]>([])
        let (first, second) = (channel(one, others, 1), channel(two, others, 0))
        others.withLock { $0 = [first, second] }
        let listening = [first, second].map { channel in Task { await channel.replies.run() } }
        let start = MonotonicTime.now
        let metadata = try await withThrowingTaskGroup(of: (UInt8, String).self) { group in
            for number in UInt8(1)...100 {
                let registration = Registration(
                    id: try Sample.registrant(number), webhook: try Sample.webhook(number),
                    createdAt: Sample.start, refreshedAt: Sample.start, version: UInt64(number))
                let channel = number.isMultiple(of: 2) ? first : second
                group.addTask {
                    let url = try HTTPURL("https://pay.example/\(number)")
                    guard
                        case .info(let answer) = try await channel.answer(
                            to: .info(callback: url), by: registration, replyBase: url)
                    else { return (number, "") }
                    return (number, answer.metadata)
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        print("100 replies by way of another instance: \(MonotonicTime.now - start)")
        for (number, text) in metadata { #expect(text == "[[\"text/plain\",\"\(number)\"]]") }
        #expect(metadata.count == 100)
        for task in listening { task.cancel() }
    }

    /// An instance whose devices reply to another one.
    private func channel(
        _ ledger: ServerLedger, _ all: Guarded<[ReplyChannel]>, _ other: Int
    ) -> ReplyChannel {
        ReplyChannel(
            ReplyChannel.Settings(network: .bitcoin),
            replies: AwaitedReplies(shared: ledger.sharedReplies) { Issue.record($0) }, slots: SharedSlots(1_000),
            post: { body, _, _, _ throws(OutboundFault) in
                let data = (try? JSONValue(parsing: body))?["data"]
                let callback = data?["callback_url"]?.string ?? ""
                let number = callback.split(separator: "/").last ?? ""
                let reply = """
                    {"callback":"\(callback)","minSendable":1,"maxSendable":2,"tag":"payRequest",\
                    "metadata":"[[\\"text/plain\\",\\"\(number)\\"]]"}
                    """
                let id = data?["reply_url"]?.string?.split(separator: "/").last.flatMap { ReplyID($0) }
                let receiver = all.withLock { $0[other] }
                if let id { _ = await receiver.replies.hand(DeviceReply(Array(reply.utf8)), for: id) }
                return HTTPResponse(status: 200, body: [])
            }, notePaid: { _, _ in })
    }
}
