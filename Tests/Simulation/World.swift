import Bolt12
import LedgerRecords
import LightningCoding
import LightningCrypto
import ResponderModel
import SQLiteLedger

/// What all instances of a run share, and what must hold in it. Used by the scheduler's thread only.
final class World: @unchecked Sendable {
    let seed: UInt64
    let scheduler: Scheduler
    let ledger: LedgerDatabase
    let node: NodeModel
    let receiver = Receiver()
    /// An offer for a few payments; nil until an instance has made it.
    var offer: (made: Offer, maximumPayments: UInt64)?
    /// When all instances are gone for more than a day; nil for never.
    let outage: Range<Duration>?
    /// Faults are off at the end, when all that was begun must come to its end.
    var hasFaults = true
    private(set) var instances: [Instance] = []
    private var count = 0
    // One source for each part, so that one more number here does not change everything there.
    var faults: Draws
    var pauses: Draws
    var payers: Draws

    private let isTraced: Bool
    /// Of all things that have happened.
    private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    private(set) var violations: [String] = []

    /// The invoices that payers hold, and whether they are for the offer.
    private(set) var left: [PaymentHash: Bool] = [:]
    private var settled: Set<PaymentHash> = []
    private var cursor: UInt64 = 0
    private(set) var delivered: Set<OutboxID> = []

    static let start = UnixTime(1_790_000_000)
    static let backend = BackendName.embedded
    /// How long invoices can be paid, in seconds.
    static let expiry: UInt64 = 60

    init(seed: UInt64, scheduler: Scheduler, ledger: LedgerDatabase, isTraced: Bool) throws {
        self.isTraced = isTraced
        self.seed = seed
        self.scheduler = scheduler
        self.ledger = ledger
        var draws = Draws(seed: seed)
        faults = Draws(seed: draws.next())
        pauses = Draws(seed: draws.next())
        payers = Draws(seed: draws.next())
        node = try NodeModel(draws: Draws(seed: draws.next()))
        let begin = draws.milliseconds(50_000...250_000)
        outage = draws.isOne(of: 5) ? begin..<begin + draws.milliseconds(90_000_000...110_000_000) : nil
    }

    /// The ledger's time.
    var time: UnixTime { Self.start.adding(seconds: UInt64(scheduler.now.components.seconds)) }

    func note(_ what: String) {
        let line = "\(scheduler.now) \(what)"
        for byte in line.utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
        if isTraced { print(line) }
    }

    func violate(_ what: String) {
        note("VIOLATION: \(what)")
        violations.append(what)
    }

    /// So long after the beginning, not counting the outage.
    func moment(_ duration: Duration) -> Duration {
        guard let outage, duration >= outage.lowerBound else { return duration }
        return duration - outage.lowerBound + outage.upperBound
    }

    func sleep(_ duration: Duration) async { try? await scheduler.sleep(until: scheduler.now + duration) }

    /// Never returns: whoever asks is gone.
    func never() async {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }

    // MARK: Instances

    var living: [Instance] { instances.filter { !$0.isDead } }

    func startInstance() throws {
        count += 1
        let instance = try Instance(number: count, of: self)
        instances.append(instance)
        note("\(instance) starts")
        Task { await instance.run() }
    }

    /// Ends an instance in the middle of what it does; another one comes in its place.
    func kill(_ instance: Instance) {
        guard !instance.isDead else { return }
        instance.isDead = true
        note("\(instance) is killed")
        let pause = pauses.milliseconds(0...30_000)
        let soonest = outage.flatMap { $0.contains(scheduler.now) ? $0.upperBound : nil } ?? scheduler.now
        Task {
            try? await scheduler.sleep(until: soonest + pause)
            do { try startInstance() } catch { violate("no instance: \(error)") }
        }
    }

    // MARK: What must hold

    /// An invoice goes to a payer.
    func leave(_ hash: PaymentHash, isOffered: Bool) {
        note("\(hash.short) leaves\(isOffered ? " for the offer" : "")")
        if left.updateValue(isOffered, forKey: hash) != nil {
            violate("two payers hold \(hash.short)")
        }
        check()
    }

    /// A payer was told that it is paid.
    func tellPaid(_ hash: PaymentHash, _ preimage: Preimage) {
        if preimage.paymentHash != hash { violate("a preimage of another hash for \(hash.short)") }
        if !node.isSettled(hash) { violate("the preimage of \(hash.short) left before it was paid") }
    }

    func deliver(_ id: OutboxID) {
        note("\(id.text.prefix(16)) is delivered")
        delivered.insert(id)
    }

    /// Looks at the ledger after each write.
    ///
    /// - Parameter lease: the one that the write was made under.
    func check(under lease: Lease? = nil) {
        do {
            let state = try LedgerState(of: ledger, scheduler)
            if let lease, state.epochs[lease.name] != lease.epoch {
                violate("a write under epoch \(lease.epoch) of \(lease.name), which has a later one")
            }
            for hash in settled where state.received[hash] == nil { violate("\(hash.short) is settled no more") }
            for (hash, received) in state.received {
                settled.insert(hash)
                if received != node.received(hash) { violate("\(hash.short) has \(received), not what was paid") }
                let id = SettlementWebhookJob(hash, to: node.account).id
                guard !delivered.contains(id), !state.jobs.contains(id) else { continue }
                violate("\(hash.short) is settled, and told to nobody")
            }
            if state.count != settled.count { violate("\(state.count) are counted, \(settled.count) are settled") }
            for hash in left.keys where !state.invoices.contains(hash) {
                if node.canBePaid(hash, at: time) { violate("\(hash.short) can be paid, and is forgotten") }
                if node.isPaid(hash) { violate("\(hash.short) is paid, and forgotten") }
            }
            if state.cursor < cursor, !node.isRenumbered {
                violate("the cursor goes back from \(cursor) to \(state.cursor)")
            }
            cursor = state.cursor
            node.noteCursor(cursor)
            for hash in node.events.prefix(Int(state.cursor)).compactMap(\.?.paymentHash)
            where state.invoices.contains(hash) && state.received[hash] == nil {
                violate("the cursor is beyond \(hash.short), which is open")
            }
            let sold = left.filter { $0.value && node.isPaid($0.key) }.count
            if let offer, sold > offer.maximumPayments { violate("the offer was paid \(sold) times") }
            holders = state.holders
            pending = state.jobs
        } catch {
            violate("the ledger cannot be read: \(error)")
        }
    }

    private(set) var holders: [LeaseName: String] = [:]
    private var pending: Set<OutboxID> = []

    /// What has not come to its end yet; nil when all has.
    var unfinished: String? {
        if let hash = left.keys.first(where: { node.isPaid($0) && !settled.contains($0) }) {
            return "\(hash.short) is paid, and open"
        }
        if let hash = settled.first(where: {
            !delivered.contains(SettlementWebhookJob($0, to: node.account).id)
        }) {
            return "nobody was told of \(hash.short)"
        }
        if let id = pending.min(by: { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }) {
            return "\(id.text) is still in the outbox"
        }
        let ids = Set(living.map(\.id.text))
        for name in Instance.leases where !ids.contains(holders[name] ?? "") { return "nobody alive holds \(name)" }
        return nil
    }
}

/// What the ledger holds, as plain SQL tells it.
struct LedgerState: Sendable {
    var invoices: Set<PaymentHash> = []
    /// What the settled ones have received.
    var received: [PaymentHash: Millisatoshi] = [:]
    /// How many settlements were ever recorded.
    var count = 0
    var cursor: UInt64 = 0
    var epochs: [LeaseName: UInt64] = [:]
    var holders: [LeaseName: String] = [:]
    var jobs: Set<OutboxID> = []

    init(of ledger: LedgerDatabase, _ scheduler: Scheduler) throws(LedgerFault) {
        self = try scheduler.outside { () async throws(LedgerFault) -> LedgerState in
            try await ledger.read { connection throws(LedgerFault) in
                var state = LedgerState()
                _ = try connection.rows("SELECT payment_hash, settled_at, received FROM invoice", []) {
                    row throws(LedgerFault) in
                    let hash = try row.blob("payment_hash") { try PaymentHash($0) }
                    state.invoices.insert(hash)
                    if try row.optionalTime("settled_at") != nil { state.received[hash] = try row.amount("received") }
                }
                _ = try connection.rows("SELECT count FROM settlement_total", []) { row throws(LedgerFault) in
                    state.count = Int(try row.integer("count"))
                }
                _ = try connection.rows("SELECT cursor FROM settlement_cursor", []) { row throws(LedgerFault) in
                    state.cursor = UInt64(try row.text("cursor")) ?? 0
                }
                _ = try connection.rows("SELECT name, epoch, holder FROM lease", []) { row throws(LedgerFault) in
                    let name = try row.text("name") { LeaseName($0) }
                    state.epochs[name] = try row.unsigned("epoch")
                    state.holders[name] = try row.optionalText("holder")
                }
                _ = try connection.rows("SELECT work_id FROM outbox_entry", []) { row throws(LedgerFault) in
                    state.jobs.insert(OutboxID(unchecked: try row.text("work_id")))
                }
                return state
            }
        }
    }

    private init() {}
}

extension PaymentHash {
    var short: String { String(hexadecimal.prefix(8)) }
}
