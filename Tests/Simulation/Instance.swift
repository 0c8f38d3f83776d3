import Bolt12
import LNURL
import LedgerRecords
import LightningCoding
import LightningCrypto
import Platform
import ResponderCore
import ResponderModel

/// One run of the service: the parts that money depends on, over what `World` makes of the ledger and the network.
final class Instance: @unchecked Sendable, CustomStringConvertible {
    unowned let world: World
    let id: InstanceID
    var isDead = false
    private let number: Int
    private var pausedUntil = Duration.zero
    /// Its wall clock beside the ledger's, in seconds.
    var skew: Int
    private var parts: Parts?

    private struct Parts {
        let responder: Responder
        let ledger: SimulatedLedger
        let node: NodeClient
        let service: ServiceInstance
        let follower: SettlementFollower
        let runners: [OutboxRunner]
        let removal: ExpiredInvoiceRemoval
    }

    static let leases: [LeaseName] = [.following(World.backend), .outbox, .upkeep]

    init(number: Int, of world: World) throws {
        self.world = world
        self.number = number
        guard let id = InstanceID("pay\(number)") else { fatalError("no id") }
        self.id = id
        skew = world.pauses.below(5) - 2
        let ledger = SimulatedLedger(instance: self)
        let node = NodeClient(instance: self)
        let backends: [BackendName: any ReceiveBackend] = [World.backend: node]
        let clock: WallClock = { [unowned self] in now }
        let monotonic = MonotonicClock(
            now: { MonotonicTime(sinceStart: world.scheduler.now) },
            sleep: { [unowned self] in try await sleep(until: $0.sinceStart) })
        let random: RandomSource = { count in world.payers.bytes(count) }
        let pause: @Sendable (Duration) async throws -> Void = { [unowned self] in
            try await sleep(until: world.scheduler.now + $0)
        }
        let address = ListenAddress(host: "127.0.0.1", port: 1)
        let record = InstanceRecord(
            id: id, name: .unnamed, process: 1, version: "1", startedAt: world.time, payers: address, admin: address,
            publicURL: nil, keys: KeysFingerprint(of: [SecretBytes([1])]))
        let outbox: [any OutboxHandler] = [
            WebhookHandler(instance: self, ledger: ledger),
            MismatchedInvoices(ledger: ledger, backends: backends, clock: clock),
        ]
        let runners = outbox.map {
            OutboxRunner($0, of: ledger, holder: id.text, clock: clock, sleep: pause, random: random)
        }
        ledger.observers.add { fact in
            switch fact {
            case .settled, .workDue: for runner in runners { runner.wake() }
            case .issued, .unrecordedMismatch: break
            }
        }
        parts = Parts(
            responder: Responder(
                ledger: ledger, backends: backends,
                settings: ResponderSettings(challengeKey: SecretBytes(Array(repeating: 4, count: 32))),
                offers: OfferIssuer(
                    seed: try OfferSeed(SecretBytes(Array(repeating: 5, count: 32))),
                    nodeKey: try SecretKey(Array(repeating: 6, count: 32))),
                clock: clock, ageClock: monotonic, random: random),
            ledger: ledger, node: node,
            service: ServiceInstance(record, on: ledger, terms: .shared, clock: monotonic),
            follower: SettlementFollower(
                of: World.backend, node, in: ledger, knownNodes: KnownNodes(ledger: ledger), clock: clock,
                pause: { try await pause(.milliseconds(min(100 * $0, 1_000))) },
                tick: { try await pause(.seconds(20)) },
                report: { [unowned self] in world.note("\(self) \($0.words)") }),
            runners: runners,
            removal: ExpiredInvoiceRemoval(ledger: ledger, backends: backends, grace: 60))
    }

    var description: String { "instance \(number)" }

    private var now: UnixTime { UnixTime(UInt64(Int(world.time.seconds) + skew)) }

    /// Where it may be slow, paused or killed.
    func step(_ what: String) async {
        if isDead { await world.never() }
        world.note("\(self) \(what)")
        if !world.pauses.isOne(of: 3) { await world.sleep(world.pauses.milliseconds(0...8)) }
        if world.hasFaults {
            if world.pauses.isOne(of: 500) { await world.sleep(world.pauses.milliseconds(0...4_000)) }
            if world.pauses.isOne(of: 2_500) {
                pausedUntil = world.scheduler.now + world.pauses.milliseconds(1_000...40_000)
                world.note("\(self) is paused")
            }
            if world.pauses.isOne(of: 2_500) { world.kill(self) }
        }
        await thaw()
        if isDead { await world.never() }
    }

    /// A task that was canceled stands still, too.
    private func thaw() async {
        while pausedUntil > world.scheduler.now {
            await Task { try? await world.scheduler.sleep(until: pausedUntil) }.value
        }
    }

    private func sleep(until moment: Duration) async throws {
        try await world.scheduler.sleep(until: moment)
        await thaw()
        if isDead { await world.never() }
    }

    func run() async {
        guard let parts else { return }
        let (service, follower) = (parts.service, parts.follower)
        while (try? await service.register()) == nil { try? await sleep(until: world.scheduler.now + .seconds(1)) }
        let address = ListenAddress(host: "127.0.0.1", port: 1)
        await service.listens(payers: address, admin: address)
        await withDiscardingTaskGroup { group in
            group.addTask { await service.run() }
            group.addTask { await service.holding(.following(World.backend)) { await follower.run(under: $0) } }
            group.addTask {
                await service.holding(.outbox) { lease in
                    await withDiscardingTaskGroup { group in
                        for runner in parts.runners { group.addTask { await runner.run(under: lease) } }
                    }
                }
            }
            group.addTask {
                await service.holding(.upkeep) { [unowned self] lease in
                    repeat {
                        do {
                            _ = try await parts.ledger.prune(before: now, under: lease)
                            _ = try await parts.removal.round(at: now, under: lease)
                        } catch LedgerFault.leaseLost {
                            return
                        } catch {}
                    } while (try? await sleep(until: world.scheduler.now + .seconds(20))) != nil
                }
            }
        }
    }

    // MARK: What payers ask

    /// An invoice over LNURL.
    func invoice(over amount: Millisatoshi) async throws -> PaymentHash? {
        guard let parts else { return nil }
        let responder = try await parts.responder.payResponder(for: Recipient(world.node.account))
        return try await responder.payInvoice(CallbackQuery(amount: amount), token: nil, for: Payer()).paymentHash
    }

    /// What became of a payment, over LNURL-verify.
    func preimage(of hash: PaymentHash) async throws -> Preimage? {
        guard let parts else { return nil }
        let responder = try await parts.responder.payResponder(for: Recipient(world.node.account))
        return try await responder.verify(hash, token: nil, for: Payer()).preimage
    }

    func makeOffer(maximumPayments: UInt64) async throws -> Offer? {
        var terms = OfferTerms(description: "Tea", amount: Millisatoshi(21_000))
        terms.maximumPayments = maximumPayments
        return try await parts?.responder.issueOffer(terms, for: world.node.account).offer
    }

    /// An invoice over BOLT12.
    func invoice(answering request: InvoiceRequest) async throws -> PaymentHash? {
        guard let parts else { return nil }
        let responder = try await parts.responder.payResponder(for: Recipient(world.node.account))
        return try await responder.invoice(
            answering: request.stream.bytes, to: nil, issued: nil, arrival: .direct
        ).paymentHash
    }
}

extension SettlementFollower.Event {
    fileprivate var words: String {
        switch self {
        case .settled(let invoice): "has recorded \(invoice.paymentHash.short)"
        case .skipped: "has skipped a payment"
        case .interrupted: "follows no more"
        case .resumed: "follows again"
        case .renumbered: "follows from the beginning"
        case .reconciliationCut: "has not asked about all"
        }
    }
}

/// Who is told of payments.
final class Receiver: @unchecked Sendable {
    var isDown = false
}

/// Tells the receiver of a payment, in place of `SettlementWebhookSender`, whose client is libcurl.
private struct WebhookHandler: OutboxHandler {
    let instance: Instance
    let ledger: SimulatedLedger
    let policy = OutboxPolicy(
        concurrency: 4, lease: 30, schedule: RetrySchedule(pauses: Array(repeating: 4, count: 500)))

    func carryOut(_ job: SettlementWebhookJob, _ work: OutboxWork) async -> OutboxOutcome {
        let world = instance.world
        do {
            guard try await ledger.invoice(job.paymentHash)?.settlement != nil else {
                world.violate("somebody would be told of \(job.paymentHash.short), which is not settled")
                return .refused("not settled")
            }
        } catch {
            return .failed("the ledger was not readable")
        }
        await instance.step("posts")
        guard !world.receiver.isDown else { return .failed("no connection") }
        if world.hasFaults, world.faults.isOne(of: 10) {
            await world.sleep(.seconds(10))
            return .failed("no answer in time")
        }
        if world.hasFaults, world.faults.isOne(of: 5) { return .failed("503") }
        world.deliver(job.id)
        await instance.step("has posted")
        if world.hasFaults, world.faults.isOne(of: 8) { return .failed("the answer was lost") }
        return .carriedOut
    }
}
