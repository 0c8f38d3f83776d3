import Bolt12
import LightningCoding
import LightningCrypto
import Platform
import FakeNode

/// A phoenixd node as its HTTP interface shows it, fake after its source (github.com/ACINQ/phoenixd, commit 402c2ea): what a rule
/// below stands on is named beside it. Strict: what phoenixd refuses is refused, in its words.
final class FakePhoenixd: Sendable {
    struct Payment: Sendable {
        let preimage: Preimage
        /// In milliseconds since 1970.
        let createdAt: UInt64
        /// nil for the payment of an offer.
        var invoice: FakeInvoice?
        var externalID: String?
        var payerNote: String?
        var completedAt: UInt64?
        var received: UInt64 = 0
        var fees: UInt64 = 0
        /// A channel that was opened or made larger by the owner's own coins.
        var isOnChain = false
        /// Whether what was received is told as a text.
        var isOdd = false
        var isUnidentified = false
    }

    struct State: Sendable {
        /// In milliseconds since 1970.
        var now: UInt64 = 1_790_000_000_000
        var payments: [Payment] = []
        var channels: [JSONValue] = [FakePhoenixd.channel()]
        var chain = "regtest"
        var knowsHeight = true
        var isPlainText = false
        /// Whether the end of a time span is ignored.
        var ignoresEnd = false
        /// The status of the answer to `getoffer`.
        var offerStatus = 200
        /// The offer that it tells; nil for its own.
        var offerText: String?
        /// What the node keeps of the next payment for liquidity, in satoshis.
        var liquidityFee: UInt64 = 0
    }

    static let password = "3f4c0ffee-limited"
    static let webhookSecret = "b0a1c2d3e4f5"

    let key: SecretKey
    let offer: Offer
    let server: FakeHTTPServer
    let state = Guarded(State())
    let wakeSignals = Guarded<[AsyncStream<Void>.Continuation]>([])

    init() throws {
        key = try SecretKey.random()
        var fields = OfferFields()
        fields.issuerID = key.publicKey
        offer = try Offer(fields)
        server = try FakeHTTPServer()
        server.serve { [weak self] request, _ in self?.answer(request) }
    }

    deinit {
        server.mode = .gone
    }

    /// `json/JsonSerializers.kt`, `Channel`: amounts only of channels that have a commitment.
    static func channel(_ state: String = "Normal", inbound: Int? = 5_000_000) -> JSONValue {
        guard let inbound else { return ["state": .string(state)] }
        return [
            "state": .string(state), "channelId": .string(String(repeating: "ab", count: 32)), "balanceSat": 12_345,
            "inboundLiquiditySat": .integer(inbound), "capacitySat": 6_000_000,
            "fundingTxId": .string(String(repeating: "cd", count: 32)),
        ]
    }

    var now: UnixTime { UnixTime(state.withLock { $0.now } / 1000) }

    func advance(milliseconds: UInt64) { state.withLock { $0.now += milliseconds } }

    /// Plays a payer of an invoice: of up to twice the amount, as BOLT 4 has it.
    func pay(_ text: String, _ amount: Millisatoshi, note: String? = nil) throws {
        try state.withLock { state in
            guard let index = state.payments.firstIndex(where: { $0.invoice?.text == text }),
                let invoice = state.payments[index].invoice
            else { throw PaymentFailed("unknown") }
            guard state.payments[index].completedAt == nil else { throw PaymentFailed("paid") }
            guard state.now < invoice.expiresAt.seconds * 1000 else { throw PaymentFailed("expired") }
            guard amount >= invoice.amount, amount.msat <= invoice.amount.msat * 2 else {
                throw PaymentFailed("amount")
            }
            state.complete(index, amount.msat)
        }
        wake()
    }

    /// Plays a payer of the node's own offer (`Bolt12IncomingPayment` of lightning-kmp: no invoice is kept).
    func pay(_ offer: Offer, _ amount: Millisatoshi, note: String? = nil) throws {
        guard offer == self.offer else { throw PaymentFailed("unknown") }
        let preimage = try Preimage(random: SystemRandom.bytes)
        state.withLock { state in
            state.payments.append(Payment(preimage: preimage, createdAt: state.now, payerNote: note))
            state.complete(state.payments.count - 1, amount.msat)
        }
        wake()
    }

    /// Puts a payment that was completed at that moment into the list.
    @discardableResult
    func receive(at time: UInt64, onChain isOnChain: Bool = false) throws -> PaymentHash {
        let preimage = try Preimage(random: SystemRandom.bytes)
        state.withLock { state in
            var payment = Payment(preimage: preimage, createdAt: time)
            payment.completedAt = time
            payment.received = 1
            payment.isOnChain = isOnChain
            state.payments.append(payment)
        }
        return preimage.paymentHash
    }

    /// Rings for every reader who waits for a tick.
    func wake() {
        for wakeSignal in wakeSignals.withLock({ $0 }) { wakeSignal.yield() }
    }

    func ticks() -> AsyncStream<Void> {
        let (stream, wakeSignal) = AsyncStream<Void>.makeStream()
        wakeSignals.withLock { $0.append(wakeSignal) }
        return stream
    }
}

extension FakePhoenixd.State {
    /// What is received is what is left after the price of liquidity, without the part of a satoshi (`IncomingPayment`,
    /// `receivedSat`; lightning-kmp, `LightningIncomingPayment.amountReceived`).
    fileprivate mutating func complete(_ index: Int, _ amount: UInt64) {
        // No two payments at one moment, unless a test says so.
        now += 1
        payments[index].completedAt = now
        payments[index].received = amount / 1000 - min(amount / 1000, liquidityFee)
        payments[index].fees = liquidityFee * 1000
    }
}
