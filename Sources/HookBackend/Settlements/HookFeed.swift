import LightningCoding
import LightningCrypto
import Platform
import Contracts
import Nodes

/// Iterates over a hook's settlements for one reader.
actor HookFeed {
    /// How long the hook may wait for a settlement before it returns none, in seconds.
    private static let wait: UInt64 = 25
    private static let pageCount: UInt64 = 100
    /// The pause between requests to a hook that does not wait.
    private static let pause = Duration.milliseconds(500)

    private let transport: any HookTransport
    /// How long a response may take beyond `wait`.
    private let timeout: Duration
    private let news: WakeSignal.Listener
    private var cursor: SettlementCursor?
    private var page: ArraySlice<Result<Settlement, UnreadableSettlement>> = []

    init(
        of transport: any HookTransport, after cursor: SettlementCursor?, within timeout: Duration,
        wakeSignal: WakeSignal
    ) {
        self.timeout = timeout
        self.transport = transport
        self.cursor = cursor
        news = WakeSignal.Listener(to: wakeSignal, ticks: AsyncStream { try? await Task.sleep(for: Self.pause) })
    }

    /// Waits for the next settlement; nil when its task is cancelled.
    func next() async throws -> Settlement? {
        while page.isEmpty {
            guard !Task.isCancelled else { return nil }
            let start = ContinuousClock.now
            page = try await ask()
            if page.isEmpty, start.duration(to: .now) < Self.pause {
                guard await news.isWoken() else { return nil }
            }
        }
        switch page.popFirst() {
        case .success(let settlement):
            cursor = settlement.cursor
            return settlement
        case .failure(let unreadable): throw unreadable
        case nil: return nil
        }
    }

    private func ask() async throws(BackendFault) -> ArraySlice<Result<Settlement, UnreadableSettlement>> {
        let parameters: JSONObject = [
            "after": .text(cursor?.text), "wait": .unsigned(Self.wait),
            "limit": .unsigned(Self.pageCount),
        ]
        let value = try await transport.call(
            .settlements, parameters, within: timeout + .seconds(Int64(Self.wait))
        ).result
        var settlements: [Result<Settlement, UnreadableSettlement>] = []
        var last = cursor
        for answer in try NodeAnswer(value, to: .settlements).optionalElements("settlements") {
            let place = SettlementCursor(try answer.text("cursor"))
            // A cursor that does not advance would request the same page forever.
            guard place != last else { throw answer.fault("cursor") }
            last = place
            settlements.append(Self.read(answer, at: place))
        }
        return settlements[...]
    }

    private static func read(
        _ answer: NodeAnswer, at place: SettlementCursor
    ) -> Result<Settlement, UnreadableSettlement> {
        do throws(BackendFault) {
            return .success(try Settlement(answer))
        } catch {
            let hash = try? answer.parsed("paymentHash") { try PaymentHash(hexadecimal: $0) }
            return .failure(UnreadableSettlement(paymentHash: hash, error, cursor: place))
        }
    }
}
