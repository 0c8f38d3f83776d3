import LightningCoding
import LightningCrypto
import Platform
import FakeNode

/// A fake LND node with its REST interface, modeled on a real one (`Tests/Recorded/lnd.json`; `ReplayTests` compares)
/// and, where nothing was recorded, on its source (github.com/lightningnetwork/lnd, v0.19.3), which is cited at each
/// rule. Strict: it rejects what LND rejects, with LND's wording.
final class FakeLND: Sendable {
    struct Invoice: Sendable {
        let fake: FakeInvoice
        let memo: String
        let addIndex: Int
        var state = "OPEN"
        var settleIndex = 0
        var received = Millisatoshi.zero
        var settledAt = UnixTime(0)
        var isAMP = false
        /// Whether the amount paid is a word instead of a number.
        var isOdd = false
        /// Whether its number in the order of settlements cannot be read.
        var isUnnumbered = false
        /// How many canceled HTLCs with custom records it keeps (`invoices/update.go`); anybody can send them.
        var canceledHTLCs = 0
    }

    struct State: Sendable {
        var now = UnixTime(1_790_000_000)
        var invoices: [Invoice] = []
        var settlements = 0
        /// Events for subscribers: complete lines.
        var events: [String] = []
        /// An event that is sent after the next one.
        var heldBack: String?
        var trick = EventFault.none
        var channels: [FakeChannel] = [FakeChannel()]
        /// By macaroon, in hexadecimal.
        var macaroons: [String: Set<String>] = [:]
        var network = "regtest"
        /// The error of every call while it is not ready.
        var isNotReady: String?
        var isPlainMemo = false
        /// How many invoices fit into one of its messages.
        var longestPage = Int.max
        var knowsRouteBlinding = true
        var version = "0.19.3-beta commit="
        /// The preimage of the next invoice if the order names none.
        var nextPreimage: Preimage?
    }

    /// What goes wrong with events for subscribers.
    enum EventFault: Sendable {
        case none
        case twice
        case swapped
        case lost
    }

    static let everything: Set<String> = ["info:read", "offchain:read", "invoices:read", "invoices:write"]
    static let macaroon: [UInt8] = [2, 1, 3, 0x6c, 0x6e, 0x64, 0xff, 0x20]

    let key: SecretKey
    let state = Guarded(State())
    let server: FakeHTTPServer

    init() throws {
        key = try SecretKey.random()
        server = try FakeHTTPServer()
        state.withLock { $0.macaroons[Hexadecimal.encode(Self.macaroon)] = Self.everything }
        server.serve { [weak self] request, connection in self?.answer(request, connection) }
    }

    deinit {
        server.mode = .gone
    }

    var now: UnixTime { state.withLock { $0.now } }

    /// Advances the time; expired invoices are canceled (`invoices/invoice_expiry_watcher.go`).
    func advance(seconds: UInt64) {
        state.withLock { state in
            state.now = state.now.adding(seconds: seconds)
            for index in state.invoices.indices
            where state.invoices[index].state == "OPEN" && state.invoices[index].fake.expiresAt <= state.now {
                state.invoices[index].state = "CANCELED"
            }
        }
    }

    /// Pays an invoice. Smaller payments are rejected, larger ones accepted (`invoices/update.go`,
    /// `ResultHtlcSetTotalTooLow`).
    func pay(_ text: String, _ amount: Millisatoshi, isAMP: Bool = false) throws {
        try state.withLock { state in
            guard let index = state.invoices.firstIndex(where: { $0.fake.text == text }) else {
                throw PaymentFailed("unknown")
            }
            guard state.invoices[index].state == "OPEN" else { throw PaymentFailed(state.invoices[index].state) }
            guard amount >= state.invoices[index].fake.amount else { throw PaymentFailed("too low") }
            state.settlements += 1
            state.invoices[index].state = "SETTLED"
            state.invoices[index].isAMP = isAMP
            state.invoices[index].settleIndex = state.settlements
            state.invoices[index].received = amount
            state.invoices[index].settledAt = state.now
            state.tell(state.invoices[index].line)
        }
    }

    /// An invoice that was not ordered by us.
    func foreignInvoice() throws -> String {
        try add(["value_msat": "1000", "memo": "not ours"]).fake.text
    }

    /// Holds the payments of an invoice (`lnrpc/lightning.proto`, `InvoiceState.ACCEPTED`).
    func hold(_ text: String) {
        state.withLock { state in
            for index in state.invoices.indices where state.invoices[index].fake.text == text {
                state.invoices[index].state = "ACCEPTED"
            }
        }
    }
}

extension FakeLND.State {
    /// Sends an event to subscribers, with the configured fault.
    mutating func tell(_ line: String) {
        switch trick {
        case .none: events.append(line)
        case .twice: events += [line, line]
        case .lost: break
        case .swapped:
            if let held = heldBack {
                events += [line, held]
                heldBack = nil
            } else {
                heldBack = line
            }
        }
    }
}

/// A channel of a fake node; amounts in satoshis.
struct FakeChannel: Sendable {
    var id: UInt64 = 123_456_789_012_345
    var peer = "02e89ca9e8da72b33d896bae51d20e7e6675aa971f7557500b6591b15429e717f1"
    var localBalance = 1_000_000
    var localReserve = 77
    var remoteBalance = 5_000_000
    var remoteReserve = 50_000
    var minimumHTLC = 1
    /// The smallest amount that the peer forwards, in msat.
    var forwardMinimum = 1000
    var maximumPending: UInt64 = 10_000_000_000
    var isPrivate = false
    var isActive = true
    var isInitiator = true
    var feePerKiloweight = 500
    var commitWeight = 1116
    var alias: UInt64 = 0
    var isDisabled = false
}
