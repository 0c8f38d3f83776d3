package import Bolt12
package import LightningCoding
package import LightningCrypto
package import Platform

/// A node with its operator's configuration: the required chain, limits on its load, and the paths to it.
///
/// Orders and queries have separate queues, so that a burst of invoice requests does not delay health checks.
package struct ConfiguredBackend: ReceiveBackend {
    private let node: any ReceiveBackend
    private let network: Network?
    private let paths: PathPreferences
    private let orders: CallQueue
    private let questions: CallQueue
    private let isUnissued: @Sendable (PaymentHash) async -> Bool

    /// Wraps a node.
    ///
    /// - Parameters:
    ///   - network: the required chain; nil accepts any.
    ///   - paths: through which peers BOLT12 payments come, and on which terms.
    ///   - isUnissued: whether it is certain that no payer holds an invoice with that hash. By default it never is.
    ///   - clock: measures calls.
    package init(
        _ node: any ReceiveBackend,
        network: Network? = nil,
        load: BackendLoad = BackendLoad(),
        paths: PathPreferences = PathPreferences(),
        isUnissued: @escaping @Sendable (PaymentHash) async -> Bool = { _ in false },
        clock: MonotonicClock = .system
    ) {
        self.node = node
        self.network = network
        self.paths = paths
        self.isUnissued = isUnissued
        orders = CallQueue(load, clock: clock)
        questions = CallQueue(load, clock: clock)
    }

    package var capabilities: BackendCapabilities {
        get async throws(BackendFault) { try await node.capabilities }
    }

    package var webhooks: (any WebhookSource)? { node.webhooks }

    package var forwarding: (any ForwardingNode)? {
        node.forwarding.map { QueuedForwarding(node: $0, queue: questions) }
    }

    /// The node's identity, with the configured peers.
    ///
    /// - Throws: `wrongNetwork` when it is on a different chain.
    package func nodeInfo() async throws(BackendFault) -> NodeInfo {
        let info = try await questions.run { [node] () async throws(BackendFault) in try await node.nodeInfo() }
        if let network, info.network != network { throw .wrongNetwork(info.network, configured: network) }
        return paths.applied(to: info)
    }

    package func limits() async throws(BackendFault) -> ReceiveLimits {
        try await questions.run { [node] () async throws(BackendFault) in try await node.limits() }
    }

    /// Makes an invoice when a slot is free. One that arrives after the deadline is canceled if the node supports that
    /// and the invoice is not one that it made for another payer; otherwise it expires.
    package func createInvoice(_ order: InvoiceOrder) async throws(BackendFault) -> BackendInvoice {
        let cancel: @Sendable (BackendInvoice) async -> Void = { [node, isUnissued] invoice in
            // The caller has given up, and this task is canceled with it.
            await Task {
                guard (try? await node.capabilities.cancels) ?? false, await isUnissued(invoice.hashToPay) else {
                    return
                }
                try? await node.cancel(invoice.hashToPay)
            }.value
        }
        return try await orders.run(late: cancel) { [node] () async throws(BackendFault) in
            try await node.createInvoice(order)
        }
    }

    package func status(of paymentHash: PaymentHash) async throws(BackendFault) -> PaymentStatus? {
        try await questions.run { [node] () async throws(BackendFault) in try await node.status(of: paymentHash) }
    }

    package func cancel(_ paymentHash: PaymentHash) async throws(BackendFault) {
        try await questions.run { [node] () async throws(BackendFault) in try await node.cancel(paymentHash) }
    }

    /// The node's settlements; a stream has no deadline.
    package func settlements(after cursor: SettlementCursor?) -> SettlementStream {
        node.settlements(after: cursor)
    }

    /// A cursor at the end of the settlement history. May take several calls, so it has no deadline.
    package func presentEnd() async throws(BackendFault) -> SettlementCursor? { try await node.presentEnd() }

    /// Where the node's count of settlements stands. May take several calls, so it has no deadline.
    package func cursorState(of cursor: SettlementCursor) async throws(BackendFault) -> CursorState {
        try await node.cursorState(of: cursor)
    }

    package func offer(_ order: OfferOrder) async throws(BackendFault) -> Offer {
        try await orders.run { [node] () async throws(BackendFault) in try await node.offer(order) }
    }

    package func disableOffer(_ id: OfferID) async throws(BackendFault) {
        try await questions.run { [node] () async throws(BackendFault) in try await node.disableOffer(id) }
    }

    package func advance(_ event: BackendEvent) async throws(BackendFault) -> PaymentHash? {
        try await questions.run { [node] () async throws(BackendFault) in try await node.advance(event) }
    }

    /// Deletes invoices, where the node's records are ours.
    package func forget(_ paymentHashes: [PaymentHash], expiredBefore moment: UnixTime) async throws(BackendFault) {
        try await questions.run { [node] () async throws(BackendFault) in
            try await node.forget(paymentHashes, expiredBefore: moment)
        }
    }

    package func missingPermissions() async throws(BackendFault) -> [String] {
        try await questions.run { [node] () async throws(BackendFault) in try await node.missingPermissions() }
    }
}

private struct QueuedForwarding: ForwardingNode {
    let node: any ForwardingNode
    let queue: CallQueue

    func forwardingPeer(_ key: PublicKey) async throws(BackendFault) -> ForwardingPeer? {
        try await queue.run { [node] () async throws(BackendFault) in try await node.forwardingPeer(key) }
    }
}

/// Limits concurrent and queued calls to a node, each with a deadline that starts when it is made.
///
/// Canceled calls leave the queue, so no work remains when a burst of load ends.
final class CallQueue: Sendable {
    private let load: BackendLoad
    private let clock: MonotonicClock
    private let line = Guarded(Line())

    private struct Line {
        var running = 0
        /// The waiting calls in order of arrival, until each learns whether it may run.
        var waiting: [FirstAnswer<Bool>] = []
        /// The duration of the last call that the node answered.
        var lastTime = Duration.zero
    }

    init(_ load: BackendLoad, clock: MonotonicClock = .system) {
        self.load = load
        self.clock = clock
    }

    /// The result of the call.
    ///
    /// Queued calls that cannot finish before their deadline are dropped: otherwise, under load, the node would work
    /// only for callers that have given up.
    ///
    /// - Parameter late: receives a result that arrives after the deadline, before the call's slot is freed.
    /// - Throws: `overloaded` at once when the queue is full, `timedOut` at the deadline. A running call is then
    ///   canceled and keeps its slot until it ends.
    func run<Value: Sendable>(
        late: @escaping @Sendable (Value) async -> Void = { _ in },
        _ call: @escaping @Sendable () async throws(BackendFault) -> Value
    ) async throws(BackendFault) -> Value {
        let (turn, hasWaited) = try arrive()
        let answer = FirstAnswer<Result<Value, BackendFault>>()
        let end = clock.now() + load.deadline
        let work = Task.startingHere {
            guard await turn.value() else {
                answer.give(.failure(.timedOut))
                return
            }
            defer { self.leave() }
            let start = self.clock.now()
            let isInTime = start + self.line.withLock { $0.lastTime } <= end
            // A call that did not wait always runs; otherwise a node that was slow once would never be called again.
            guard !Task.isCancelled, !hasWaited || isInTime else {
                answer.give(.failure(.timedOut))
                return
            }
            let result: Result<Value, BackendFault>
            do throws(BackendFault) {
                result = .success(try await call())
                self.line.withLock { $0.lastTime = self.clock.now() - start }
            } catch {
                result = .failure(error)
            }
            if !answer.give(result), case .success(let value) = result { await late(value) }
        }
        let giveUp: @Sendable () -> Void = { [self] in
            if stepAside(turn) { turn.give(false) }
            work.cancel()
            answer.give(.failure(.timedOut))
        }
        let cancelTimer = clock.schedule(at: end, giveUp)
        defer { cancelTimer() }
        return try await withTaskCancellationHandler {
            await answer.value()
        } onCancel: {
            giveUp()
        }
        .get()
    }

    var held: Int { line.withLock { $0.running + $0.waiting.count } }

    private func arrive() throws(BackendFault) -> (turn: FirstAnswer<Bool>, hasWaited: Bool) {
        let turn = FirstAnswer<Bool>()
        let runs = try line.withLock { line throws(BackendFault) in
            if line.running < max(load.calls, 1) {
                line.running += 1
                return true
            }
            guard line.waiting.count < load.waiting else { throw .overloaded }
            line.waiting.append(turn)
            return false
        }
        if runs { turn.give(true) }
        return (turn, hasWaited: !runs)
    }

    private func leave() {
        let next: FirstAnswer<Bool>? = line.withLock { line in
            guard line.waiting.isEmpty else { return line.waiting.removeFirst() }
            line.running -= 1
            return nil
        }
        next?.give(true)
    }

    private func stepAside(_ turn: FirstAnswer<Bool>) -> Bool {
        line.withLock { line in
            guard let index = line.waiting.firstIndex(where: { $0 === turn }) else { return false }
            line.waiting.remove(at: index)
            return true
        }
    }
}

package struct BackendLoad: Hashable, Sendable {
    package var calls: Int
    /// How many more may wait; further calls are rejected at once.
    package var waiting: Int
    /// The maximum duration of a call, including its waiting time.
    package var deadline: Duration

    package init(calls: Int = 8, waiting: Int = 200, deadline: Duration = .seconds(10)) {
        self.calls = calls
        self.waiting = waiting
        self.deadline = deadline
    }
}
