import Bolt12
import LedgerContract
import LedgerRecords
import LightningCoding
import LightningCrypto
import PostgreSQLCluster
import ResponderModel
import Testing
import Waiting
@testable import PostgreSQLLedger

@Suite(
    "Partitions of the invoices", .timeLimit(.minutes(5)),
    .enabled(if: PostgreSQLCluster.isWanted, "\(PostgreSQLCluster.missing ?? "")"))
struct PartitionTests {
    private let ledger: ServerLedger
    private let database: Database

    init() async throws {
        let settings = try await ServerLedger.settings()
        ledger = try await ServerLedger.open(settings)
        database = try await Database.open(settings, lanes: 1)
        try await ledger.put("alice")
    }

    private func partitions() async throws -> [String] {
        let query = Query(
            "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'invoice'::regclass ORDER BY 1")
        return try await database.read(query).rows { row throws(LedgerFault) in try row.text(0) }
    }

    private func upkeep(at now: UnixTime) async throws {
        let lease = try #require(try await ledger.lease(.upkeep, for: Sample.instance(1).id, lasting: 60))
        try await ledger.arrange(at: now, under: lease)
    }

    @Test("A day has its partition with its first invoice, and the two days ahead with the upkeep")
    func made() async throws {
        #expect(try await partitions() == [])
        try await ledger.record(Sample.invoice(1), using: nil)
        #expect(try await partitions() == ["invoice_20260921"])
        for _ in 0..<2 { try await upkeep(at: Sample.start) }
        #expect(try await partitions() == ["invoice_20260921", "invoice_20260922", "invoice_20260923"])
    }

    @Test("The payment of a node's own offer is recorded also when the next id is that of another invoice")
    func takenID() async throws {
        let offer = try await ledger.putOffer(Sample.offer(1, origin: .node))
        let settlement = try Sample.settlement(
            101, offered: OfferedPayment(offer: offer.offer.id, invoice: nil, payerNote: "hi"))
        // Issued in the second of the payment.
        let invoice = try Sample.invoice(201)
        try #require(invoice.createdAt == settlement.settledAt)
        try await ledger.record(invoice, using: nil)
        try await database.write(
            Query("SELECT setval('invoice_sequence', (SELECT max(id) & 1048575 FROM invoice), false)"))
        let added = try await ledger.record(settlement, from: .embedded)
        #expect(added?.settlement?.preimage == settlement.preimage)
        #expect(try await ledger.invoice(invoice.paymentHash) == invoice)
    }

    @Test("An invoice is found by its hash whenever it was issued, and by its time in one partition only")
    func found() async throws {
        let days: [UInt64] = [0, 86_400, 40 * 86_400]
        for day in days { try await ledger.record(Sample.invoice(1 + day), using: nil) }
        for day in days {
            let invoice = try Sample.invoice(1 + day)
            #expect(try await ledger.invoice(invoice.paymentHash) == invoice)
            #expect(try await ledger.invoice(invoice.paymentHash, createdAt: invoice.createdAt) == invoice)
            for wrong in [invoice.createdAt.adding(seconds: 1), UnixTime(0), UnixTime(.max)] {
                #expect(try await ledger.invoice(invoice.paymentHash, createdAt: wrong) == nil)
            }
        }
        let plan = try await database.read(
            Query(
                """
                EXPLAIN (COSTS off, ANALYZE) SELECT label FROM invoice
                WHERE payment_hash = $1 AND id >= invoice_id($2) AND id < invoice_id($2 + 1)
                """,
                [.blob(Sample.invoice(1).paymentHash.bytes), .integer(Int64(Sample.start.seconds + 1))])
        ).rows { row throws(LedgerFault) in try row.text(0) }
        #expect(!plan.contains { $0.contains("invoice_20260922") || $0.contains("invoice_20261031") }, "\(plan)")
    }

    @Test("The days of a month become one table when it is over and nothing in it is open, and paid invoices stay")
    func merged() async throws {
        for day in UInt64(0)...2 {
            for number in UInt64(1)...2 { try await ledger.record(Sample.invoice(number + day * 86_400), using: nil) }
            let settlement = RecordedSettlement(
                settledAt: Sample.start, received: Millisatoshi(1), preimage: try Sample.preimage(1 + day * 86_400))
            _ = try await ledger.record(settlement, of: settlement.preimage.paymentHash, from: .embedded)
        }
        let later = Sample.start.adding(seconds: 40 * 86_400)
        try await upkeep(at: later)
        #expect(try await partitions().count == 6)
        let lease = try #require(try await ledger.lease(.upkeep, for: Sample.instance(1).id, lasting: 60))
        let open = try (UInt64(0)...2).map { try Sample.preimage(2 + $0 * 86_400).paymentHash }
        #expect(
            try await ledger.forgetExpired(
                open, issuedIn: Sample.start...later, before: later, under: lease) == 3)
        // What has become one table stays so.
        for _ in 0..<2 {
            try await upkeep(at: later)
            let months = ["invoice_202609", "invoice_20261031", "invoice_20261101", "invoice_20261102"]
            #expect(try await partitions() == months)
        }
        let kept = try await ledger.invoices(InvoiceQuery(state: .settled, now: later)).elements
        #expect(kept.map(\.paymentHash) == [2, 1, 0].map { try? Sample.preimage(1 + $0 * 86_400).paymentHash })
        for invoice in kept {
            #expect(try await ledger.invoice(invoice.paymentHash, createdAt: invoice.createdAt) == invoice)
        }
        // A late one of that month is still taken, once.
        try await ledger.record(Sample.invoice(5), using: nil)
        await #expect(throws: LedgerFault.duplicateInvoice) { try await ledger.record(Sample.invoice(5), using: nil) }
        #expect(try await partitions().count == 4)
        #expect(try await ledger.check().findings == [])
    }

    private func lease(of number: UInt8, lasting seconds: UInt64 = 60) async throws -> Lease {
        try #require(try await ledger.lease(.upkeep, for: Sample.instance(number).id, lasting: seconds))
    }

    /// Invoices of two days, of which the first of the first day is paid and the others are deleted.
    private func clearTwoDays() async throws -> (paid: PaymentHash, later: UnixTime) {
        let later = Sample.start.adding(seconds: 4 * 86_400)
        for number in [UInt64(1), 2, 86_401] { try await ledger.record(Sample.invoice(number), using: nil) }
        let paid = RecordedSettlement(
            settledAt: Sample.start, received: Millisatoshi(1), preimage: try Sample.preimage(1))
        _ = try await ledger.record(paid, of: paid.preimage.paymentHash, from: .embedded)
        try await upkeep(at: later)
        #expect(try await partitions().prefix(2) == ["invoice_20260921", "invoice_20260922"])
        let gone = try [UInt64(2), 86_401].map { try Sample.preimage($0).paymentHash }
        #expect(try await ledger.forgetExpired(gone, before: later) == 2)
        return (paid.preimage.paymentHash, later)
    }

    @Test("A day of which nothing is open keeps a table of what was paid, and none when nothing was")
    func replaced() async throws {
        let (paid, later) = try await clearTwoDays()
        for _ in 0..<2 { try await upkeep(at: later) }
        #expect(
            try await partitions() == [
                "invoice_20260921p", "invoice_20260925", "invoice_20260926", "invoice_20260927",
            ])
        #expect(try await ledger.invoice(paid)?.settlement != nil)
        #expect(try await ledger.invoice(Sample.preimage(2).paymentHash) == nil)
        // A late one of those days is still taken, once.
        for number in [UInt64(3), 86_403] {
            try await ledger.record(Sample.invoice(number), using: nil)
            await #expect(throws: LedgerFault.duplicateInvoice) {
                try await ledger.record(Sample.invoice(number), using: nil)
            }
        }
        #expect(try await ledger.check().findings == [])
    }

    @Test("The first invoice of a day, in its first second, stays when it was paid and the day is replaced")
    func firstID() async throws {
        let number = 86_400 - Sample.start.seconds % 86_400
        let first = try Sample.invoice(number)
        try await ledger.makePartition(for: first.createdAt)
        try await ledger.record(first, using: nil)
        let query = Query("SELECT 1 FROM invoice WHERE id = invoice_id($1)", [.integer(Int64(first.createdAt.seconds))])
        #expect(try await database.read(query).count == 1)
        let paid = RecordedSettlement(
            settledAt: first.createdAt, received: Millisatoshi(1), preimage: try Sample.preimage(number))
        _ = try await ledger.record(paid, of: first.paymentHash, from: .embedded)
        try await upkeep(at: first.createdAt.adding(seconds: 4 * 86_400))
        #expect(try await partitions().first == "invoice_20260922p")
        #expect(try await ledger.invoice(first.paymentHash)?.settlement != nil)
    }

    @Test("A new table has the bounds of its partition: else the server would read it under a lock")
    func bounds() async throws {
        try await database.write(Query("SELECT make_invoice_table('new', 100, 200)"))
        let query = Query("SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'bounds'")
        let bounds = try await database.read(query).rows { row throws(LedgerFault) in try row.text(0) }
        #expect(bounds == ["CHECK (((id >= \(100 << 20)) AND (id < \(200 << 20))))"])
    }

    @Test("The invoices of an offer are found by an index")
    func offerIndex() async throws {
        try await ledger.record(Sample.invoice(1), using: nil)
        let plan = try await database.transaction(.reading, within: .seconds(9)) { transaction throws(LedgerFault) in
            try await transaction.run(Query("SET LOCAL enable_seqscan = off"))
            return try await transaction.run(Query("EXPLAIN SELECT 1 FROM invoice WHERE offer = ''"))
                .rows { row throws(LedgerFault) in try row.text(0) }
        }
        #expect(plan.contains { $0.contains("offer_expires_at_idx") }, "\(plan)")
    }

    @Test("Nothing is replaced under a lease that was lost, and what is in use is left for later with a word of it")
    func fenced() async throws {
        let (paid, later) = try await clearTwoDays()
        let before = try await partitions()
        let lost = try await lease(of: 1, lasting: 0)
        let held = try await lease(of: 2)
        await #expect(throws: LedgerFault.leaseLost) { try await ledger.arrange(at: later, under: lost) }
        #expect(try await partitions() == before)
        try await database.transaction(.reading, within: .seconds(9)) { transaction throws(LedgerFault) in
            try await transaction.run(Query("SELECT count(*) FROM invoice"))
            await #expect(throws: LedgerFault.busy) { try await ledger.arrange(at: later, under: held) }
        }
        #expect(try await partitions() == before)
        try await ledger.arrange(at: later, under: held)
        #expect(try await partitions() != before)
        #expect(try await ledger.invoice(paid) != nil)
    }

    @Test("A state that is being read keeps what was paid, and tables are replaced after it")
    func read() async throws {
        let (paid, later) = try await clearTwoDays()
        let held = try await lease(of: 1)
        let invoices = try #require(LedgerTable.all.first { $0.name == "invoice" })
        let hashes = try await ledger.readRecords { reader async throws(LedgerFault) in
            await #expect(throws: LedgerFault.busy) { try await ledger.arrange(at: later, under: held) }
            return try await reader.rows(of: invoices, after: nil, limit: 9).rows.flatMap { $0 }
        }
        #expect(hashes.contains(.blob(paid.bytes)))
        try await ledger.arrange(at: later, under: held)
        #expect(try await partitions().contains("invoice_20260921p"))
        #expect(try await ledger.invoice(paid)?.settlement != nil)
    }

    /// Makes a node's own offer, and the payment of it on the first day.
    private func ownPayment() async throws -> Settlement {
        let offer = try await ledger.putOffer(Sample.offer(1, origin: .node))
        return try Sample.settlement(
            101, offered: OfferedPayment(offer: offer.offer.id, invoice: nil, payerNote: nil))
    }

    @Test(
        "While a day is replaced, whoever writes into it is not refused, nothing is lost, and its lease can be renewed",
        arguments: [1, 2])
    func closed(steps: Int) async throws {
        let (paid, later) = try await clearTwoDays()
        let payment = try await ownPayment()
        let held = try await lease(of: 1)
        for function in ["close_invoice_tables", "fill_invoice_table"].prefix(steps) {
            try await database.write(Query("SELECT \(function)('invoice_20260921p')"))
        }
        #expect(try await ledger.record(payment, from: .embedded) != nil)
        #expect(try await ledger.lease(.upkeep, for: Sample.instance(1).id, lasting: 60) == held)
        await #expect(throws: LedgerFault.busy) {
            try await database.write(Query("SELECT swap_invoice_tables('invoice_20260921p')"))
        }
        try await ledger.arrange(at: later, under: held)
        #expect(try await partitions().first == "invoice_20260921p")
        for hash in [paid, payment.paymentHash] { #expect(try await ledger.invoice(hash)?.settlement != nil) }
        // The table of what was paid is not closed.
        try await ledger.record(Sample.invoice(3), using: nil)
        #expect(try await ledger.check().findings == [])
    }

    @Test("A backup holds up the replacement of a day, and no payment of that day")
    func backup() async throws {
        let (_, later) = try await clearTwoDays()
        let payment = try await ownPayment()
        let held = try await lease(of: 1)
        let follower = try await ledger.held(.following(.embedded))
        let recorded = try await ledger.readRecords { _ async throws(LedgerFault) in
            await #expect(throws: LedgerFault.busy) { try await ledger.arrange(at: later, under: held) }
            return try await ledger.record(payment, from: .embedded, under: follower)
        }
        #expect(recorded != nil)
        #expect(try await partitions().first == "invoice_20260921")
        try await ledger.arrange(at: later, under: held)
        #expect(try await partitions().first == "invoice_20260921p")
        #expect(try await ledger.invoice(payment.paymentHash)?.settlement != nil)
    }

    @Test("A clock that was days ahead keeps no invoice from being issued, also when its replacement was cut short")
    func clockAhead() async throws {
        try await ledger.record(Sample.invoice(1), using: nil)
        _ = try await ledger.record(Sample.settlement(1), from: .embedded)
        let held = try await lease(of: 1)
        let ahead = Sample.start.adding(seconds: 4 * 86_400)
        _ = try await ledger.readRecords { _ async throws(LedgerFault) in
            await #expect(throws: LedgerFault.busy) { try await ledger.arrange(at: ahead, under: held) }
        }
        let next = try Sample.invoice(2)
        try await ledger.record(next, using: nil)
        try await upkeep(at: Sample.start)
        #expect(try await ledger.invoice(next.paymentHash) == next)
        #expect(try await partitions().first == "invoice_20260921")
    }

    @Test("A day that is closed while an invoice of it is open again is left for later")
    func reopened() async throws {
        let (_, later) = try await clearTwoDays()
        try await ledger.record(Sample.invoice(3), using: nil)
        await #expect(throws: LedgerFault.busy) {
            try await database.write(Query("SELECT close_invoice_tables('invoice_20260921p')"))
        }
        try await upkeep(at: later)
        #expect(try await partitions().contains("invoice_20260921"))
        #expect(try await ledger.invoice(Sample.preimage(3).paymentHash) != nil)
    }

    @Test("While much is deleted its lease can be renewed")
    func renewed() async throws {
        let held = try await lease(of: 1)
        let waiting = Query("SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'rate'::regclass")
        try await database.transaction(.writing, within: .seconds(9)) { transaction throws(LedgerFault) in
            try await transaction.run(Query("LOCK TABLE rate IN ACCESS EXCLUSIVE MODE"))
            async let pruning = try? ledger.prune(before: Sample.start, under: held)
            try? await eventually { try await transaction.run(waiting).count == 1 }
            let renewed = try? await ledger.lease(.upkeep, for: Sample.instance(1).id, lasting: 60)
            #expect(renewed == held)
            #expect(try await transaction.run(waiting).count == 1)
            _ = await pruning
        }
    }

    @Test("A settlement whose invoice has a known time is looked for in that second only")
    func settled() async throws {
        try await ledger.record(Sample.invoice(1), using: nil)
        let invoice = try Sample.invoice(1)
        let paid = RecordedSettlement(
            settledAt: Sample.start, received: Millisatoshi(1), preimage: try Sample.preimage(1))
        for (time, isFound) in [(invoice.createdAt.adding(seconds: 1), false), (invoice.createdAt, true)] {
            let settled = try await ledger.record(paid, of: invoice.paymentHash, issuedAt: time, from: .embedded)
            #expect((settled != nil) == isFound)
        }
        let other = try Sample.invoice(2)
        try await ledger.record(other, using: nil)
        let lease = try await ledger.held(.following(.embedded))
        let settlement = try Sample.settlement(2)
        for (time, isFound) in [(other.createdAt.adding(seconds: 1), false), (other.createdAt, true)] {
            let settled = try await ledger.record(settlement, issuedAt: time, from: .embedded, under: lease)
            #expect((settled != nil) == isFound)
        }
    }

    @Test("The locks of all partitions are counted, and are too few when they exceed what the server holds")
    func locks() async throws {
        try await ledger.record(Sample.invoice(1), using: nil)
        let one = try await ledger.lockTable()
        try await ledger.record(Sample.invoice(86_401), using: nil)
        let two = try await ledger.lockTable()
        #expect(one.each > 1 && two.each == 2 * one.each)
        #expect(two.capacity == 64 * two.connections)
        let table = LockTable(each: 300, capacity: 6_400, connections: 100)
        #expect(table.needed(for: 21) == nil)
        #expect(table.needed(for: 22) == 66)
        #expect(table.needed(for: .max) != nil)
        // Each of them is used.
        let exact = LockTable(each: 1, capacity: 100, connections: 100)
        #expect(exact.needed(for: 100) == nil && exact.needed(for: 101) == 2)
    }

    @Test("No step builds an index on a table that is in use: that would hold up who writes into it")
    func indexes() {
        for step in Schema.ledger.migrations {
            let made = Set(step.sql.matches(of: /CREATE (?:UNLOGGED )?TABLE (\w+)/).map(\.output.1))
            for index in step.sql.matches(of: /CREATE (?:UNIQUE )?INDEX \w+ ON (\w+)/) {
                #expect(made.contains(index.output.1), "\(step.name): \(index.output.0)")
            }
        }
    }

    @Test("A time that does not fit into an id is refused")
    func endOfTime() async throws {
        let sample = try Sample.invoice(1)
        for seconds in [UInt64(1) << 43, .max] {
            let invoice = IssuedInvoice(
                paymentHash: sample.paymentHash, account: sample.account, backend: sample.backend, label: "x",
                bolt11: sample.bolt11, amount: sample.amount, createdAt: UnixTime(seconds), expiresAt: sample.expiresAt,
                origin: sample.origin)
            await #expect(throws: LedgerFault.self) { try await ledger.record(invoice, using: nil) }
            await #expect(throws: LedgerFault.unstorable("a time is above 2^43 - 1")) {
                try await ledger.makePartition(for: UnixTime(seconds))
            }
        }
        #expect(try await ledger.invoices(InvoiceQuery(now: Sample.start)).elements == [])
        // A deletion up to that time deletes what was issued before it.
        try await ledger.record(sample, using: nil)
        let span = sample.createdAt...UnixTime(1 << 43)
        let lease = try await lease(of: 1)
        #expect(
            try await ledger.forgetExpired(
                [sample.paymentHash], issuedIn: span, before: sample.expiresAt.adding(seconds: 1), under: lease) == 1)
    }
}
