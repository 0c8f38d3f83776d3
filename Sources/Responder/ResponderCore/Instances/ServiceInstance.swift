package import LightningCoding
package import Platform
package import ResponderModel

/// This run of the service, among all on its ledger.
package final class ServiceInstance: Sendable {
    package let id: InstanceID
    package let terms: LeaseTerms
    private let ledger: any LeaseLedger
    private let clock: MonotonicClock
    private let report: @Sendable (Event) -> Void
    private let state: Guarded<State>

    private struct State {
        var record: InstanceRecord
        var alive = 1
        /// When the ledger has last been told, and since when it has been without a gap.
        var heard: (last: MonotonicTime, since: MonotonicTime)?
        var isOpen = false
        /// The leases that it has wanted, and whether it holds them.
        var leases: [LeaseName: Bool] = [:]
    }

    package enum Event: Hashable, Sendable {
        case took(Lease)
        case stopped(LeaseName)
        case failed(LedgerFault)
    }

    /// Creates an instance, which the ledger does not know yet.
    ///
    /// - Parameters:
    ///   - report: receives every event; must not block.
    package init(
        _ record: InstanceRecord, on ledger: any LeaseLedger, terms: LeaseTerms, clock: MonotonicClock = .system,
        report: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        id = record.id
        self.terms = terms
        self.ledger = ledger
        self.clock = clock
        self.report = report
        state = Guarded(State(record: record))
    }

    /// How many instances there are, as far as known; at least 1.
    package var alive: Int { state.withLock { $0.alive } }

    /// Whether it has told where it listens: what it serves is in the ledger then.
    package var isOpen: Bool { state.withLock { $0.isOpen } }

    /// The leases that it has wanted, by their names, and whether it holds them.
    package var leases: [(name: LeaseName, isHeld: Bool)] {
        state.withLock { state in state.leases.map { ($0.key, $0.value) } }.sorted { $0.0.text < $1.0.text }
    }

    package func holds(_ name: LeaseName) -> Bool { state.withLock { $0.leases[name] ?? false } }

    /// Enters it in the ledger. An instance that is alone takes over all that earlier ones left unfinished.
    ///
    /// - Throws: `otherKeys` among others.
    package func register() async throws(LedgerFault) {
        try await ledger.register(state.withLock { $0.record }, isAlone: terms.isAlone)
    }

    /// Tells where it listens, once it does.
    package func listens(payers: ListenAddress, admin: ListenAddress) async {
        state.withLock { state in
            state.record.payers = payers
            state.record.admin = admin
            state.isOpen = true
        }
        await beat()
    }

    /// Tells that it is alive, until canceled.
    package func run() async {
        var isHeard = false
        repeat {
            isHeard = await beat()
        } while (try? await clock.sleep(clock.now() + (isHeard ? terms.heartbeat : LeaseTerms.retry))) != nil
    }

    /// Others are forgotten only by an instance that the ledger has heard without a gap for their whole lifetime: after an
    /// outage of the ledger nobody has been heard, and all come back.
    @discardableResult
    private func beat() async -> Bool {
        let now = clock.now()
        let (record, hasWaited) = state.withLock { state in
            if let heard = state.heard, now - heard.last > terms.longestGap { state.heard = nil }
            let since = state.heard?.since ?? now
            return (state.record, now - since >= .seconds(Int64(clamping: terms.lifetime)))
        }
        do throws(LedgerFault) {
            let count = try await ledger.heartbeat(of: record, forgettingAfter: hasWaited ? terms.lifetime : nil)
            state.withLock { state in
                state.alive = max(1, count)
                state.heard = (last: clock.now(), since: state.heard?.since ?? clock.now())
            }
            return true
        } catch {
            report(.failed(error))
            return false
        }
    }

    /// Leaves the ledger: everything that it holds is free.
    package func leave() async {
        do throws(LedgerFault) {
            try await ledger.unregister(id)
        } catch {
            report(.failed(error))
        }
    }

    /// Works whenever this instance holds a lease, until canceled; then gives the lease back.
    ///
    /// - Parameters:
    ///   - work: canceled when the lease is lost, and to end soon then; begun again when it ends by itself.
    package func holding(_ name: LeaseName, _ work: @escaping @Sendable (Lease) async -> Void) async {
        var agenda = LeaseAgenda(terms, at: clock.now())
        let (events, inbox) = AsyncStream<LeaseAgenda.Event>.makeStream()
        var question: Task<Void, Never>?
        var worker: Task<Void, Never>?
        // Also after the work under it has ended by itself.
        var taken: Lease?
        var timer: Task<Void, Never>?
        note(name, isHeld: false)
        inbox.yield(.woke)
        for await event in events {
            for action in agenda.on(event, at: clock.now()) {
                switch action {
                case .ask: question = Task { inbox.yield(await ask(name)) }
                case .start(let lease, let run):
                    taken = lease
                    worker = Task {
                        await work(lease)
                        inbox.yield(.ended(run: run))
                    }
                    report(.took(lease))
                case .stop:
                    worker?.cancel()
                    await worker?.value
                    report(.stopped(name))
                }
            }
            note(name, isHeld: agenda.held != nil)
            timer?.cancel()
            timer = agenda.nextWake.map { moment in
                Task { [clock] in
                    if (try? await clock.sleep(moment)) != nil { inbox.yield(.woke) }
                }
            }
        }
        timer?.cancel()
        worker?.cancel()
        await worker?.value
        await question?.value
        note(name, isHeld: false)
        if let taken { await giveBack(taken) }
    }

    private func ask(_ name: LeaseName) async -> LeaseAgenda.Event {
        let now = clock.now()
        do throws(LedgerFault) {
            return .answered(try await ledger.lease(name, for: id, lasting: terms.length), askedAt: now)
        } catch {
            report(.failed(error))
            return .failed
        }
    }

    /// In a task of its own, since the one that held the lease is canceled.
    private func giveBack(_ lease: Lease) async {
        await Task { [ledger] in try? await ledger.release(lease) }.value
    }

    private func note(_ name: LeaseName, isHeld: Bool) {
        state.withLock { $0.leases[name] = isHeld }
    }
}
