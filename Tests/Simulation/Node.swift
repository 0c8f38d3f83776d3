import Bolt11
import LedgerContract
import LightningCoding
import LightningCrypto
import ResponderModel

/// A node, and the payers that pay its invoices.
final class NodeModel: @unchecked Sendable {
    let key: SecretKey
    let account: AccountID
    /// What it has settled, in its order; nil is a payment of somebody else's whose report cannot be read.
    private(set) var events: [Settlement?] = []
    private(set) var isDown = false
    /// Whether its count of settlements has begun anew, and the ledger still has the old one.
    private(set) var isRenumbered = false
    /// As far as the ledger has read.
    private var cursor: UInt64 = 0
    var draws: Draws
    private var invoices: [PaymentHash: Held] = [:]

    private struct Held {
        let preimage: Preimage
        let amount: Millisatoshi
        let expiresAt: UnixTime
        var state = State.open
        /// Whether it is no longer in the node's records.
        var isForgotten = false
    }

    private enum State: Equatable {
        case open, canceled
        /// Its parts are held, and nothing can undo that any more.
        case paid
        case settled(at: UnixTime, received: Millisatoshi)
    }

    init(draws: Draws) throws {
        self.draws = draws
        key = try SecretKey(Array(repeating: 9, count: 32))
        account = try Sample.alice()
    }

    func isPaid(_ hash: PaymentHash) -> Bool { isSettled(hash) || invoices[hash]?.state == .paid }

    func isSettled(_ hash: PaymentHash) -> Bool { received(hash) != nil }

    /// What was paid; nil unless it is settled.
    func received(_ hash: PaymentHash) -> Millisatoshi? {
        if case .settled(_, let received) = invoices[hash]?.state { received } else { nil }
    }

    func canBePaid(_ hash: PaymentHash, at now: UnixTime) -> Bool {
        invoices[hash].map { $0.state == .open && now < $0.expiresAt } ?? false
    }

    func goDown(_ isDown: Bool) { self.isDown = isDown }

    /// Its database is rebuilt: it knows what was paid, and counts from the beginning. Before any of its count was read nobody
    /// could notice: what was paid by then shows when the expired invoices are asked about, within the hour.
    func renumber() {
        guard cursor > 0 else { return }
        events = []
        isRenumbered = true
    }

    func noteCursor(_ cursor: UInt64) {
        self.cursor = cursor
        if cursor <= UInt64(events.count) { isRenumbered = false }
    }

    func make(_ order: InvoiceOrder, at now: UnixTime) throws -> BackendInvoice {
        let preimage = try Preimage(draws.bytes(32))
        var description: Bolt11Description =
            switch order.description {
            case .text(let text): .text(text)
            case .hashed(let text): .hash(SHA256.hash(Array(text.utf8)))
            }
        if draws.isOne(of: 30) { description = .text("something else") }
        let draft = Bolt11Draft(
            network: .regtest, amount: order.amount, timestamp: now, paymentHash: preimage.paymentHash,
            paymentSecret: try PaymentSecret(draws.bytes(32)), description: description, expiry: order.expiry,
            minFinalCLTVExpiryDelta: 80,
            features: Bolt11Features(
                required: [.variableLengthOnion, .paymentSecret], optional: [.basicMultiPartPayment]))
        invoices[preimage.paymentHash] = Held(
            preimage: preimage, amount: order.amount, expiresAt: now.adding(seconds: order.expiry))
        return BackendInvoice(bolt11: try draft.signed(by: key).text, paymentHash: preimage.paymentHash)
    }

    func cancel(_ hash: PaymentHash) {
        if invoices[hash]?.state == .open { invoices[hash]?.state = .canceled }
    }

    /// A payer pays, maybe more than was asked for; the node settles it some minutes later at most, maybe long after the expiry.
    func pay(_ hash: PaymentHash, in world: World) async {
        guard let held = invoices[hash], canBePaid(hash, at: world.time) else { return }
        invoices[hash]?.state = .paid
        world.note("\(hash.short) is paid")
        await world.sleep(draws.milliseconds(draws.isOne(of: 8) ? 0...240_000 : 0...60_000))
        // Once the new count has passed the old one, nobody could notice.
        while isRenumbered { await world.sleep(.seconds(1)) }
        let received = Millisatoshi(held.amount.msat + (draws.isOne(of: 3) ? held.amount.msat / 2 : 0))
        invoices[hash]?.state = .settled(at: world.time, received: received)
        world.note("\(hash.short) is settled")
        if draws.isOne(of: 10) { events.append(nil) }
        events.append(
            Settlement(
                paymentHash: hash, preimage: held.preimage, received: received, settledAt: world.time,
                cursor: SettlementCursor(String(events.count + 1))))
    }

    func status(of hash: PaymentHash, at now: UnixTime) -> PaymentStatus? {
        guard let held = invoices[hash], !held.isForgotten else { return nil }
        switch held.state {
        case .open: return now < held.expiresAt ? .open : .closed
        case .paid: return .open
        case .canceled: return .closed
        case .settled(let time, let received):
            return .settled(at: time, received: received, preimage: held.preimage)
        }
    }

    /// Removes from its records what has expired, as nodes do.
    func forgetExpired(at now: UnixTime) {
        for (hash, held) in invoices where held.expiresAt < now && !isPaid(hash) { invoices[hash]?.isForgotten = true }
    }
}

/// The node as an instance reaches it.
struct NodeClient: ReceiveBackend {
    let instance: Instance
    private var world: World { instance.world }
    private var node: NodeModel { world.node }

    let capabilities = BackendCapabilities(
        precision: .millisatoshi, acceptsPreimage: false, cancels: true, offers: .builtHere)

    /// Each call may fail before it has an effect, or after.
    private func call<Value: Sendable>(
        _ what: String, _ body: () throws -> Value
    ) async throws(BackendFault) -> Value {
        await instance.step(what)
        guard !node.isDown else { throw .unreachable("simulated") }
        if world.hasFaults, world.faults.isOne(of: 40) { throw .timedOut }
        let value: Value
        do { value = try body() } catch { throw .refused("\(error)") }
        await instance.step("\(what), answered")
        if world.hasFaults, world.faults.isOne(of: 40) { throw .timedOut }
        return value
    }

    func nodeInfo() async throws(BackendFault) -> NodeInfo {
        try await call("info") { NodeInfo(nodeID: node.key.publicKey, network: .regtest, blockHeight: 100) }
    }

    func limits() async throws(BackendFault) -> ReceiveLimits {
        guard let limits = ReceiveLimits(minimum: Millisatoshi(1), maximum: Millisatoshi(1_000_000_000)) else {
            throw .nothingReceivable
        }
        return try await call("limits") { limits }
    }

    func createInvoice(_ order: InvoiceOrder) async throws(BackendFault) -> BackendInvoice {
        try await call("createinvoice") { try node.make(order, at: world.time) }
    }

    func status(of paymentHash: PaymentHash) async throws(BackendFault) -> PaymentStatus? {
        try await call("status") { node.status(of: paymentHash, at: world.time) }
    }

    func cancel(_ paymentHash: PaymentHash) async throws(BackendFault) {
        try await call("cancel") { node.cancel(paymentHash) }
    }

    func presentEnd() async throws(BackendFault) -> SettlementCursor? {
        try await call("end") { SettlementCursor(String(node.events.count)) }
    }

    func cursorState(of cursor: SettlementCursor) async throws(BackendFault) -> CursorState {
        try await call("cursorState") { (Int(cursor.text) ?? 0) > node.events.count ? .renumbered : .reached }
    }

    /// Breaks now and then, and may tell the same twice.
    func settlements(after cursor: SettlementCursor?) -> SettlementStream {
        let (stream, continuation) = SettlementStream.makeStream()
        let first = cursor.flatMap { Int($0.text) } ?? 0
        let task = Task {
            var index = first
            while !Task.isCancelled {
                await instance.step("waits")
                if node.isDown || index > node.events.count || world.hasFaults && world.faults.isOne(of: 80) {
                    return continuation.finish(throwing: BackendFault.unreachable("simulated"))
                }
                if index < node.events.count {
                    if let settlement = node.events[index] {
                        continuation.yield(.success(settlement))
                    } else {
                        let cursor = SettlementCursor(String(index + 1))
                        continuation.yield(
                            .failure(
                                UnreadableSettlement(paymentHash: nil, .malformedAnswer("simulated"), cursor: cursor)))
                    }
                    if !world.hasFaults || !world.faults.isOne(of: 8) { index += 1 }
                } else {
                    await world.sleep(.seconds(1))
                }
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}
