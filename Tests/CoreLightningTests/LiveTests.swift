import BackendContract
import Bolt11
import Bolt12
import Glibc
import LightningCoding
import LightningCrypto
import Receiving
import Testing

@testable import CoreLightning

/// The contract once more, with a real node in place of the played one: where `Scripts/judge-core-lightning` has started a payer and a
/// payee, and says in the environment where their sockets are.
@Suite("A real Core Lightning node keeps every backend's promises", .enabled(if: LiveNodes.areThere), .serialized)
struct LiveTests {
    @Test("With offers built here", .timeLimit(.minutes(5)), arguments: BackendPromise.all)
    func contract(_ promise: BackendPromise) async throws {
        try await promise.check(try await LiveNodes.bench(.builtHere))
    }

    @Test(
        "With its own offers", .timeLimit(.minutes(1)),
        arguments: BackendPromise.all.filter { $0.rule.contains("own offer") })
    func ownOffers(_ promise: BackendPromise) async throws {
        try await promise.check(try await LiveNodes.bench(.ownOffers))
    }
}

private enum LiveNodes {
    static let payee = getenv("JUDGE_PAYEE_SOCKET").map { String(cString: $0) }
    static let payer = getenv("JUDGE_PAYER_SOCKET").map { String(cString: $0) }
    static let areThere = payee != nil && payer != nil

    static func bench(_ offers: CoreLightningConfiguration.Offers) async throws -> LiveBench {
        let configuration = CoreLightningConfiguration(door: .socket(path: try #require(payee)), offers: offers)
        let payee = try CoreLightningBackend(configuration)
        // What other promises left behind is none of this one's.
        var index: UInt64 = 0
        while let paid = try? await payee.perform("waitanyinvoice", ["lastpay_index": .unsigned(index), "timeout": 0]) {
            index = try #require(paid["pay_index"]?.uint64)
        }
        return LiveBench(
            configuration: configuration, payer: SocketDoor(path: try #require(payer), CommandLimits()),
            run: Hexadecimal.encode(try SystemRandom.bytes(8)), start: SettlementCursor(String(index)))
    }
}

/// A payer with a channel to the payee, directly or through others.
private struct LiveBench: BackendBench {
    let configuration: CoreLightningConfiguration
    let payer: SocketDoor
    let run: String
    let start: SettlementCursor

    func connect() async throws -> any ReceiveBackend {
        LiveBackend(node: try CoreLightningBackend(configuration), run: run, start: start)
    }

    var now: UnixTime { .now() }

    /// A real node's time passes by itself.
    func advance(seconds: UInt64) async throws { try await Task.sleep(for: .seconds(Int64(seconds) + 1)) }

    /// A part or a multiple of what is asked for goes along a route of our own: `xpay` pays exactly.
    func pay(_ bolt11: String, _ amount: Millisatoshi) async throws {
        let invoice = try Bolt11Invoice(bolt11)
        if invoice.amount == amount {
            _ = try await call("xpay", ["invstring": .string(bolt11), "retry_for": 10])
            return
        }
        let hash = JSONValue.string(invoice.paymentHash.hexadecimal)
        let route = try await call(
            "getroute",
            ["id": .string(invoice.payee.hexadecimal), "amount_msat": .unsigned(amount.msat), "riskfactor": 1])
        _ = try await call(
            "sendpay",
            [
                "route": try #require(route["route"]), "payment_hash": hash,
                "payment_secret": .string(invoice.paymentSecret.hexadecimal),
            ])
        _ = try await call("waitsendpay", ["payment_hash": hash, "timeout": 20])
    }

    func pay(_ offer: Offer, _ amount: Millisatoshi) async throws {
        let answer = try await call(
            "fetchinvoice", ["offer": .string(offer.text), "amount_msat": .unsigned(amount.msat)])
        _ = try await call("xpay", ["invstring": try #require(answer["invoice"]), "retry_for": 10])
    }

    private func call(_ method: String, _ parameters: JSONObject) async throws -> JSONValue {
        try await payer.call(Command(method: method, parameters: parameters, timeout: .seconds(30)))
    }
}

/// The backend at a node that is used by many promises: labels of its own, and no settlements from before.
private struct LiveBackend: ReceiveBackend {
    let node: CoreLightningBackend
    let run: String
    let start: SettlementCursor

    var capabilities: BackendCapabilities { node.capabilities }

    func nodeInfo() async throws(BackendFault) -> NodeInfo { try await node.nodeInfo() }

    func limits() async throws(BackendFault) -> ReceiveLimits { try await node.limits() }

    func createInvoice(_ order: InvoiceOrder) async throws(BackendFault) -> BackendInvoice {
        try await node.createInvoice(
            InvoiceOrder(
                amount: order.amount, description: order.description, expiry: order.expiry,
                label: run + order.label, preimage: order.preimage))
    }

    func status(of paymentHash: PaymentHash) async throws(BackendFault) -> PaymentStatus? {
        try await node.status(of: paymentHash)
    }

    func cancel(_ paymentHash: PaymentHash) async throws(BackendFault) { try await node.cancel(paymentHash) }

    func settlements(after cursor: SettlementCursor?) -> AsyncThrowingStream<Settlement, any Error> {
        node.settlements(after: cursor ?? start)
    }

    func offer(_ order: OfferOrder) async throws(BackendFault) -> Offer { try await node.offer(order) }
}
