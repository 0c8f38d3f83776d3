import LedgerRecords
import LedgerContract
import LightningCoding
import Platform
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing
import Waiting
@testable import ResponderCore

@Suite("An instance of the service among others", .timeLimit(.minutes(5)))
struct ServiceInstanceTests {
    private let folder = TemporaryFolder()
    private let clock = ManualClock()
    private let started = Guarded<[String]>([])
    private let ended = Guarded<[String]>([])
    /// What the first instance reports.
    private let events = Guarded<[ServiceInstance.Event]>([])

    /// A ledger whose clock goes with the instances' own.
    private func ledger() async throws -> LedgerDatabase {
        try await LedgerDatabase.open(
            at: folder.path + "/ledger.sqlite",
            clock: { [clock] in
                Sample.start.adding(seconds: UInt64(clock.now.sinceStart.components.seconds))
            })
    }

    private func instance(_ number: UInt8, on ledger: any LeaseLedger) throws -> ServiceInstance {
        ServiceInstance(try Sample.instance(number), on: ledger, terms: .shared, clock: clock.clock) { [events] event in
            if number == 1 { events.withLock { $0.append(event) } }
        }
    }

    /// Holds the lease of the outbox, and records that it does, until canceled.
    private func hold(_ instance: ServiceInstance) -> Task<Void, Never> {
        Task { [started, ended] in
            await instance.holding(.outbox) { lease in
                started.withLock { $0.append("\(instance.id) \(lease.epoch)") }
                try? await Task.sleep(for: .seconds(3_600))
                ended.withLock { $0.append("\(instance.id)") }
            }
        }
    }

    private func isStarted(_ count: Int) -> Bool { started.withLock { $0.count == count } }

    /// Advances both clocks second by second; those who wait ask in between.
    private func pass(_ seconds: Int, sleepers: Int) async throws {
        for _ in 0..<seconds {
            try await clock.waitForSleepers(sleepers)
            clock.advance(by: .seconds(1))
        }
    }

    @Test("One of two instances works; when it ends it gives the lease back, and the other works")
    func handover() async throws {
        let ledger = try await ledger()
        let (one, two) = (try instance(1, on: ledger), try instance(2, on: ledger))
        let first = hold(one)
        try await eventually { isStarted(1) }
        let second = hold(two)
        try await clock.waitForSleepers(2)
        #expect(one.holds(.outbox) && !two.holds(.outbox))
        #expect(two.leases.map(\.name) == [.outbox])
        first.cancel()
        await first.value
        #expect(ended.withLock { $0 } == ["\(one.id)"])
        #expect(!one.holds(.outbox))
        try await pass(3, sleepers: 1)
        try await eventually { isStarted(2) }
        #expect(started.withLock { $0 } == ["\(one.id) 1", "\(two.id) 2"])
        second.cancel()
        await second.value
        try await eventually { clock.sleepers == 0 }
    }

    @Test("When the ledger fails, the work ends after eight seconds, and another instance begins after ten")
    func failure() async throws {
        let ledger = try await ledger()
        let failing = FailingLeases(ledger)
        let (one, two) = (try instance(1, on: failing), try instance(2, on: ledger))
        let first = hold(one)
        try await eventually { isStarted(1) }
        failing.isFailing.withLock { $0 = true }
        let second = hold(two)
        try await clock.waitForSleepers(2)
        try await pass(7, sleepers: 2)
        try await clock.waitForSleepers(2)
        #expect(ended.withLock { $0 } == [])
        try await pass(1, sleepers: 2)
        try await eventually { ended.withLock { $0.count == 1 } }
        #expect(isStarted(1))
        let fault = LedgerFault.unreachable("connection refused")
        try await eventually {
            events.withLock { Set($0) }
                == [.took(Lease(name: .outbox, epoch: 1)), .failed(fault), .stopped(.outbox)]
        }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(4))
        try await eventually { isStarted(2) }
        // The first hears of it when its ledger works again.
        failing.isFailing.withLock { $0 = false }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(3))
        try await clock.waitForSleepers(2)
        #expect(!one.holds(.outbox) && two.holds(.outbox))
        for task in [first, second] {
            task.cancel()
            await task.value
        }
    }

    @Test("Failures are reported; a heartbeat is sent every three seconds, and after a second when it failed")
    func reports() async throws {
        let failing = FailingLeases(try await ledger())
        let one = try instance(1, on: failing)
        try await one.register()
        failing.isFailing.withLock { $0 = true }
        let beating = Task { await one.run() }
        for number in 1...3 {
            try await clock.waitForSleepers(1)
            #expect(events.withLock { $0.count } == number)
            clock.advance(by: .seconds(1))
        }
        try await clock.waitForSleepers(1)
        failing.isFailing.withLock { $0 = false }
        // One that the ledger has taken, and the next after three seconds.
        try await pass(3, sleepers: 1)
        try await clock.waitForSleepers(1)
        #expect(failing.heartbeats.withLock { $0 } == 1)
        clock.advance(by: .seconds(1))
        try await clock.waitForSleepers(1)
        #expect(failing.heartbeats.withLock { $0 } == 2)
        let fault = LedgerFault.unreachable("connection refused")
        #expect(events.withLock { $0 } == Array(repeating: .failed(fault), count: 4))
        beating.cancel()
        await beating.value
        failing.isFailing.withLock { $0 = true }
        await one.leave()
        #expect(events.withLock { $0 } == Array(repeating: .failed(fault), count: 5))
    }

    @Test("A lease is given back also when the work under it has ended by itself")
    func endedWork() async throws {
        let ledger = try await ledger()
        let one = try instance(1, on: ledger)
        let holding = Task { [started] in
            await one.holding(.outbox) { lease in started.withLock { $0.append("\(lease.epoch)") } }
        }
        try await eventually { isStarted(1) && !one.holds(.outbox) }
        holding.cancel()
        await holding.value
        #expect(try await ledger.lease(.outbox, for: Sample.instance(2).id, lasting: 10) != nil)
    }

    @Test("After an outage of the ledger an instance forgets nobody who comes back within a lifetime")
    func outage() async throws {
        let ledger = try await ledger()
        let failing = FailingLeases(ledger)
        let (one, two) = (try instance(1, on: failing), try instance(2, on: ledger))
        try await one.register()
        let address = ListenAddress(host: "127.0.0.1", port: 5)
        let beating = Task { await one.run() }
        for _ in 0..<8 {
            await two.listens(payers: address, admin: address)
            try await pass(3, sleepers: 1)
        }
        try await clock.waitForSleepers(1)
        failing.isFailing.withLock { $0 = true }
        try await pass(14, sleepers: 1)
        try await clock.waitForSleepers(1)
        failing.isFailing.withLock { $0 = false }
        try await pass(15, sleepers: 1)
        try await clock.waitForSleepers(1)
        #expect(one.alive == 2)
        #expect(try await ledger.instances().count == 2)
        // Who is silent for longer is forgotten.
        try await pass(3, sleepers: 1)
        try await eventually { one.alive == 1 }
        beating.cancel()
        await beating.value
    }

    @Test("Heartbeats tell how many instances there are, and forget those that are gone")
    func heartbeats() async throws {
        let ledger = try await ledger()
        let (one, two) = (try instance(1, on: ledger), try instance(2, on: ledger))
        try await one.register()
        #expect(one.alive == 1)
        try await two.register()
        let beating = Task { await one.run() }
        try await clock.waitForSleepers(1)
        #expect(one.alive == 2)
        await two.listens(
            payers: ListenAddress(host: "127.0.0.1", port: 5), admin: ListenAddress(host: "127.0.0.1", port: 6))
        #expect(two.alive == 2)
        #expect(try await ledger.instances().map(\.record.payers.port) == [8080, 5])
        try await pass(15, sleepers: 1)
        try await eventually { one.alive == 1 }
        #expect(try await ledger.instances().map(\.record.id) == [one.id])
        await one.leave()
        #expect(try await ledger.instances().isEmpty)
        beating.cancel()
        await beating.value
    }
}

/// A ledger that fails for one instance.
private final class FailingLeases: LeaseLedger {
    let isFailing = Guarded(false)
    /// How many it has taken.
    let heartbeats = Guarded(0)
    private let ledger: any LeaseLedger

    func time() async throws(LedgerFault) -> Duration? { try await ledger.time() }

    init(_ ledger: any LeaseLedger) {
        self.ledger = ledger
    }

    private func check() throws(LedgerFault) {
        if isFailing.withLock({ $0 }) { throw .unreachable("connection refused") }
    }

    func register(_ instance: InstanceRecord, isAlone: Bool) async throws(LedgerFault) {
        try check()
        try await ledger.register(instance, isAlone: isAlone)
    }

    func heartbeat(of instance: InstanceRecord, forgettingAfter lifetime: UInt64?) async throws(LedgerFault) -> Int {
        try check()
        heartbeats.withLock { $0 += 1 }
        return try await ledger.heartbeat(of: instance, forgettingAfter: lifetime)
    }

    func unregister(_ instance: InstanceID) async throws(LedgerFault) {
        try check()
        try await ledger.unregister(instance)
    }

    func instances() async throws(LedgerFault) -> [InstanceStatus] {
        try check()
        return try await ledger.instances()
    }

    func lease(
        _ name: LeaseName, for instance: InstanceID, lasting seconds: UInt64
    ) async throws(LedgerFault) -> Lease? {
        try check()
        return try await ledger.lease(name, for: instance, lasting: seconds)
    }

    func release(_ lease: Lease) async throws(LedgerFault) {
        try check()
        try await ledger.release(lease)
    }

    func forgetKeys() async throws(LedgerFault) {
        try check()
        try await ledger.forgetKeys()
    }
}
