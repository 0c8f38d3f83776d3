import Bolt12
import LNURL
import LedgerContract
import LedgerRecords
import LightningCoding
import LightningCrypto
import PostgreSQLCluster
import PostgreSQLLedger
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing

@Suite(
    "Both ledgers, given the same operations", .timeLimit(.minutes(6)),
    .enabled(if: PostgreSQLCluster.isWanted, "\(PostgreSQLCluster.missing ?? "")"))
struct DifferentialTests {
    @Test("answer alike, and hold the same in the end", arguments: UInt64(1)...6)
    func alike(seed: UInt64) async throws {
        let folder = TemporaryFolder()
        let file = try await LedgerDatabase.open(at: folder.path + "/ledger.sqlite")
        let server = try await ServerLedger.anew()
        for ledger in [file, server] as [any Ledger] { for name in Operations.names { try await ledger.put(name) } }
        var operations = Operations(seed: seed)
        var succeeded: Set<String> = []
        for number in 1...300 {
            let (name, operation) = try operations.next()
            let answers = (await Self.answer(operation, file), await Self.answer(operation, server))
            #expect("\(answers.0)" == "\(answers.1)", "operation \(number), \(name)")
            if case .success = answers.0 { succeeded.insert(name) }
        }
        #expect(succeeded.count == Operations.count, "each operation was carried out")
        for ledger in [file, server] as [any Ledger] { #expect(try await ledger.check(payees: [:]).findings == []) }
        let held = (try await Self.rows(of: file), try await Self.rows(of: server))
        #expect(held.0.count == LedgerTable.all.count && held.0.values.count { !$0.isEmpty } > 10)
        for (table, rows) in held.0 { #expect(rows == held.1[table], "\(table)") }
        await file.close()
        await server.close()
    }

    private static func answer(
        _ operation: Operations.Operation, _ ledger: any Ledger
    ) async -> Result<String, any Error> {
        do {
            return .success(try await operation(ledger))
        } catch {
            return .failure(error)
        }
    }

    /// The rows of each table, without their numbers: what failed may have taken some.
    private static func rows(of ledger: any RecordStore) async throws -> [String: [String]] {
        try await ledger.readRecords { reader throws(LedgerFault) in
            var found: [String: [String]] = [:]
            for table in LedgerTable.all {
                let isNumbered = table.columns[0].name == "id"
                let rows = try await reader.rows(of: table, after: nil, limit: 10_000).rows
                found[table.name] = rows.map { "\($0.dropFirst(isNumbered ? 1 : 0))" }.sorted()
            }
            return found
        }
    }
}

/// Operations in an order that follows from a seed, near each other in time and about few things, so that they meet.
private struct Operations {
    typealias Operation = @Sendable (any Ledger) async throws -> String

    static let names = ["alice", "bob", "carol"]
    static let count = 19

    private var random: SplitMix
    private var now: UInt64 = 0

    init(seed: UInt64) {
        random = SplitMix(state: seed)
    }

    /// An operation and its name.
    mutating func next() throws -> (String, Operation) {
        now += random.below(20)
        return try drawn()
    }

    private mutating func drawn() throws -> (String, Operation) {
        let time = Sample.start.adding(seconds: now)
        let number = 1 + random.below(40)
        let account = try Sample.account(Self.names[Int(random.below(3))])
        let offer = try Sample.offer(UInt8(random.below(3)), maximumPayments: number.isMultiple(of: 2) ? 2 : nil)
        let claim = try claim(number, offer)
        let hash = try Sample.preimage(number).paymentHash
        let kind = OutboxKind.all[Int(random.below(2))]
        let cursor = "\(now)"
        switch random.below(22) {
        case 0:
            return ("putAccount", { "\(try await $0.put(account.name.text, "For \(number % 3)"))" })
        case 1 where number < 14:
            return ("removeAccount", { "\(try await $0.removeAccount(named: account))" })
        case 1, 2, 3, 4:
            let invoice =
                if case .offer = claim { try Sample.offeredInvoice(number, for: offer) } else {
                    try Sample.invoice(number, for: account)
                }
            return ("record", { "\(try await $0.record(invoice, using: claim))" })
        case 5: return ("invoice", { "\(String(describing: try await $0.invoice(hash)))" })
        case 6: return ("openInvoices", { "\(try await $0.openInvoices(of: account, at: time, countingTo: 4))" })
        case 7:
            let query = InvoiceQuery(account: number < 20 ? account : nil, now: time, limit: 1_000)
            // Newest first: by their time, or as they were recorded.
            return ("invoices", { "\(try await $0.invoices(query).elements.sorted { $0.label < $1.label })" })
        case 8:
            return (
                "answer",
                { "\(String(describing: try await $0.answer(to: RequestDigest(of: [UInt8(number % 8)]), at: time)))" }
            )
        case 9: return ("putOffer", { "\(try await $0.putOffer(offer))" })
        case 10: return ("disableOffer", { "\(try await $0.disableOffer(offer.offer.id, at: time))" })
        case 11:
            let wanted = OfferClaim(offer: offer.offer.id, request: nil)
            return ("obstacle", { "\(String(describing: try await $0.obstacle(to: wanted, at: time)))" })
        case 12, 13:
            let settlement = try Sample.settlement(number, cursor: cursor)
            return ("settle", { "\(String(describing: try await $0.record(settlement, from: .embedded)))" })
        case 14: return ("noteFollowing", { "\(try await $0.noteFollowing(.embedded, at: time))" })
        case 15:
            return (
                "expired",
                {
                    let found = try await $0.expiredInvoices(of: .embedded, before: time, after: nil, limit: 1_000)
                    return "\(found.map { "\($0.paymentHash) \($0.createdAt) \($0.expiresAt)" }.sorted())"
                }
            )
        case 16: return ("forgetExpired", { "\(try await $0.forgetExpired([hash], before: time))" })
        case 17: return ("prune", { "\(try await $0.prune(before: time))" })
        case 18:
            let work = try Sample.work(number, kind: kind, of: account, about: OutboxSubject("a", "\(number % 3)"))
            return ("add", { "\(try await $0.add(work, heldBy: number < 5 ? "two" : nil))" })
        case 19:
            return (
                "claim",
                { ledger in
                    let until = time.adding(seconds: 10)
                    let claimed = try await ledger.claim(kind, limit: 3, for: "one", at: time, until: until)
                    for work in claimed.work {
                        switch number % 4 {
                        case 0: try await ledger.postpone(work, until: until, because: "no")
                        case 1: try await ledger.reschedule(work, until: until, because: "later")
                        case 2: try await ledger.park(work, at: time, because: "never")
                        default: try await ledger.remove(work.id)
                        }
                    }
                    return "\(claimed)"
                }
            )
        case 20:
            let query = OutboxQuery(
                account: number < 20 ? account : nil, isParked: number.isMultiple(of: 3) ? true : nil)
            let id = try #require(OutboxID("work-\(number)"))
            return (
                "outbox",
                { ledger in
                    let counted = try await ledger.count(kind, about: OutboxSubject("a"), upTo: 5)
                    return
                        "\(try await ledger.outbox(query).elements) \(counted) \(try await ledger.retry(id, at: time))"
                }
            )
        default:
            let event = try Sample.event(number, for: account.name.text)
            return (
                "events",
                { ledger in
                    try await ledger.record(event)
                    let pruned = try await ledger.pruneEvents(before: Sample.start, keeping: 4)
                    return "\(pruned) \(try await ledger.events(EventQuery()).elements)"
                }
            )
        }
    }

    private mutating func claim(_ number: UInt64, _ offer: IssuedOffer) throws -> InvoiceClaim? {
        switch random.below(4) {
        case 0: nil
        case 1: .challenge(Sample.challenge(UInt8(number % 8)))
        case 2: .request(RequestDigest(of: [UInt8(number % 8)]))
        default: .offer(OfferClaim(offer: offer.offer.id, request: RequestDigest(of: [UInt8(number % 8)])))
        }
    }
}

/// Random numbers that follow from a seed (Steele, Lea, Flood: SplitMix64).
private struct SplitMix {
    var state: UInt64

    mutating func below(_ bound: UInt64) -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return (mixed ^ (mixed >> 31)) % bound
    }
}
