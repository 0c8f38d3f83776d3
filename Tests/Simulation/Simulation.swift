import Bolt12
import Foundation
import LedgerContract
import LedgerRecords
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel
import SQLiteLedger
import TemporaryFolders

/// What money depends on, with a real SQLite ledger, a model of a node, payers who pay, a receiver of webhooks and up to three
/// instances, which fail, pause and are killed wherever they wait. A seed and a commit repeat a run.
@main
struct Simulation {
    static func main() {
        // Sets and dictionaries must have the same order in each run.
        if getenv("SWIFT_DETERMINISTIC_HASHING") == nil {
            setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
            _ = execv("/proc/self/exe", CommandLine.unsafeArgv)
            fatalError("execv failed")
        }
        var seeds: [UInt64] = []
        var isTraced = false
        switch CommandLine.arguments.dropFirst().first {
        case "--seed": (seeds, isTraced) = (CommandLine.arguments.dropFirst(2).compactMap { UInt64($0) }, true)
        case "--runs":
            let numbers = CommandLine.arguments.dropFirst(2).compactMap { UInt64($0) }
            let first = numbers.dropFirst().first ?? 1
            seeds = numbers.first.map { (first..<first + $0).map { $0 } } ?? []
        default: break
        }
        guard !seeds.isEmpty else {
            print("usage: Simulation --runs COUNT [FIRST] | --seed SEED …")
            exit(64)
        }
        Scheduler.takeOver()
        var totals = Totals()
        var failed: [UInt64] = []
        for seed in seeds {
            let world = run(seed, isTraced)
            totals.add(world)
            if isTraced { print("seed \(seed): \(world.scheduler.steps) steps, digest \(world.digest)") }
            guard let violation = world.violations.first else { continue }
            failed.append(seed)
            print("seed \(seed): \(violation)")
        }
        print(
            "\(seeds.count) runs, \(failed.count) failed: \(totals.steps) steps, \(totals.instances) instances, "
                + "\(totals.left) invoices, \(totals.paid) payments, digest \(totals.digest)")
        exit(failed.isEmpty ? 0 : 1)
    }

    private struct Totals {
        var steps = 0
        var instances = 0
        var left = 0
        var paid = 0
        /// Of all that has happened: the same for the same seeds.
        var digest: UInt64 = 0

        mutating func add(_ world: World) {
            steps += world.scheduler.steps
            instances += world.instances.count
            left += world.left.count
            paid += world.node.events.count { $0 != nil }
            digest = (digest ^ world.digest) &* 0x100_0000_01B3
        }
    }

    /// How long faults last, and then at most until all is done, in seconds: the pause of the outbox after the
    /// most failures that are possible by then is up to 750.
    private static let (trouble, rest) = (300, 900)

    private static func run(_ seed: UInt64, _ isTraced: Bool) -> World {
        let scheduler = Scheduler(seed: seed)
        Scheduler.current = scheduler
        let folder = TemporaryFolder(isInMemory: true)
        do {
            let world = try prepare(seed, scheduler, in: folder, isTraced)
            let clients = 10 + world.payers.below(30)
            for _ in 0...world.pauses.below(3) { try world.startInstance() }
            for number in 0..<clients { Task { await pay(number, in: world) } }
            Task { await makeOffer(in: world) }
            Task { await disturb(world) }
            if let outage = world.outage {
                Task {
                    try? await scheduler.sleep(until: outage.lowerBound)
                    for instance in world.living { world.kill(instance) }
                }
            }
            let until = world.moment(.seconds(trouble))
            _ = scheduler.run { scheduler.now >= until || !world.violations.isEmpty }
            world.hasFaults = false
            world.node.goDown(false)
            world.receiver.isDown = false
            world.note("faults end")
            let last = until + .seconds(rest)
            // Whether all is done is looked at once a second, since that reads all payments, and not before the ledger can show that
            // the holder of a lease was killed.
            var nextLook = until + .seconds(20)
            _ = scheduler.run {
                guard scheduler.now < last, world.violations.isEmpty else { return true }
                guard scheduler.now >= nextLook else { return false }
                nextLook = scheduler.now + .seconds(1)
                return world.unfinished == nil
            }
            if let unfinished = world.unfinished { world.violate("not done after \(rest) s: \(unfinished)") }
            let findings = try scheduler.outside { [ledger = world.ledger, key = world.node.key] in
                try await ledger.check(payees: [World.backend: key.publicKey]).findings
            }
            for finding in findings { world.violate("\(finding)") }
            scheduler.outside { [ledger = world.ledger] in await ledger.close() }
            return world
        } catch {
            fatalError("seed \(seed): \(error)")
        }
    }

    private static func prepare(
        _ seed: UInt64, _ scheduler: Scheduler, in folder: TemporaryFolder, _ isTraced: Bool
    ) throws -> World {
        let ledger = try scheduler.outside { () async throws -> LedgerDatabase in
            let ledger = try await LedgerDatabase.open(at: folder.path + "/ledger.sqlite") {
                World.start.adding(seconds: UInt64(scheduler.now.components.seconds))
            }
            _ = try await ledger.putMainDomain(at: HTTPURL("https://example.com"))
            var settings = AccountSettings(description: "For alice", backend: World.backend)
            settings.invoiceExpiry = World.expiry
            _ = try await ledger.putAccount(
                named: Sample.alice(), settings: settings, metadata: Sample.metadata("For alice"), at: World.start)
            try await ledger.tellSettlementsOfAll(true)
            return ledger
        }
        return try World(seed: seed, scheduler: scheduler, ledger: ledger, isTraced: isTraced)
    }

    private static func makeOffer(in world: World) async {
        let most = UInt64(1 + world.payers.below(3))
        while world.offer == nil {
            await world.sleep(.seconds(1))
            guard let made = try? await world.living.first?.makeOffer(maximumPayments: most) else { continue }
            world.offer = (made, most)
        }
    }

    /// One payer: asks until there is an invoice, and mostly pays it.
    private static func pay(_ number: Int, in world: World) async {
        try? await world.scheduler.sleep(until: world.moment(world.payers.milliseconds(0...trouble * 1_000)))
        let amount = Millisatoshi(UInt64(1_000 + world.payers.below(1_000_000)))
        var request: InvoiceRequest?
        if let offer = world.offer, world.payers.isOne(of: 3) {
            let draft = InvoiceRequestDraft(
                for: offer.made, metadata: world.payers.bytes(16), chain: ChainHash(.regtest))
            request = try? draft.signed(by: world.node.key, auxiliaryRandom: nil)
        }
        for _ in 0..<4 {
            let living = world.living
            do {
                guard !living.isEmpty else { throw LedgerFault.busy }
                let instance = living[world.payers.below(living.count)]
                let hash = try await answer(of: instance) { [request] in
                    let hash =
                        if let request {
                            try await instance.invoice(answering: request)
                        } else {
                            try await instance.invoice(over: amount)
                        }
                    if let hash { world.leave(hash, isOffered: request != nil) }
                    return hash
                }
                guard let hash else { return }
                return await pay(hash, in: world)
            } catch {
                world.note("payer \(number) is refused: \(error)")
                await world.sleep(.seconds(3))
            }
        }
    }

    /// What a payer is answered; one whose instance is killed meanwhile asks another.
    private static func answer<Answer: Sendable>(
        of instance: Instance, to question: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let answer = Guarded<Result<Answer, any Error>?>(nil)
        Task {
            do {
                let value = try await question()
                answer.withLock { $0 = .success(value) }
            } catch {
                answer.withLock { $0 = .failure(error) }
            }
        }
        while true {
            if let answer = answer.withLock({ $0 }) { return try answer.get() }
            if instance.isDead { throw LedgerFault.unreachable("killed") }
            await instance.world.sleep(.milliseconds(100))
        }
    }

    private static func pay(_ hash: PaymentHash, in world: World) async {
        Task { await verify(hash, in: world) }
        guard !world.payers.isOne(of: 4) else { return }
        await world.sleep(world.payers.milliseconds(0...Int(World.expiry) * 1_100))
        await world.node.pay(hash, in: world)
        await verify(hash, in: world)
    }

    /// Asks three times whether an invoice is paid: before, while it is, and afterwards.
    private static func verify(_ hash: PaymentHash, in world: World) async {
        for _ in 0..<3 {
            let living = world.living
            if !living.isEmpty {
                let instance = living[world.payers.below(living.count)]
                try? await answer(of: instance) {
                    if let preimage = try await instance.preimage(of: hash) { world.tellPaid(hash, preimage) }
                }
            }
            await world.sleep(.seconds(20))
        }
    }

    /// Takes the node and the receiver away for a while, lets the node forget, and moves clocks.
    private static func disturb(_ world: World) async {
        while world.hasFaults {
            await world.sleep(world.pauses.milliseconds(1_000...60_000))
            guard world.hasFaults else { return }
            switch world.pauses.below(6) {
            case 0:
                world.note("the node is down")
                world.node.goDown(true)
                await world.sleep(world.pauses.milliseconds(100...40_000))
                world.node.goDown(false)
            case 1:
                world.note("the receiver is down")
                world.receiver.isDown = true
                await world.sleep(world.pauses.milliseconds(100...60_000))
                world.receiver.isDown = false
            case 2: world.node.forgetExpired(at: world.time)
            case 3:
                world.note("the node counts from the beginning")
                world.node.renumber()
            case 4: for instance in world.living { instance.skew = world.pauses.below(5) - 2 }
            default: if let instance = world.living.first { world.kill(instance) }
            }
        }
    }
}
