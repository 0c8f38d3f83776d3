import LightningCoding
import NodeCalls
public import Receiving

extension CoreLightningBackend {
    /// Every payment that the node has received, in its order, by `waitanyinvoice`; the cursor is its `pay_index`.
    public func settlements(after cursor: SettlementCursor?) -> AsyncThrowingStream<Settlement, any Error> {
        let feed = SettlementFeed(after: cursor, at: door, configuration.limits)
        return AsyncThrowingStream { try await feed.next() }
    }
}

/// One reader's way through the node's payments.
actor SettlementFeed {
    private let door: any CommandDoor
    private let limits: CommandLimits
    private var index: UInt64?

    init(after cursor: SettlementCursor?, at door: any CommandDoor, _ limits: CommandLimits) {
        self.door = door
        self.limits = limits
        index = cursor == nil ? 0 : cursor?.payIndex
    }

    /// The next settlement, for which it waits; nil when its task is cancelled.
    func next() async throws(BackendFault) -> Settlement? {
        guard let last = index else { throw .refused("no cursor of this node") }
        while true {
            let answer: JSONValue
            do {
                answer = try await door.call(command(after: last))
            } catch {
                switch error {
                case .refused(ErrorCode.waitTimedOut, _): continue
                case .cancelled: return nil
                default: throw BackendFault(error)
                }
            }
            let invoice = try ListedInvoice(NodeAnswer(answer, ""))
            guard case .paid(let payment) = invoice.state, payment.index > last else {
                throw .malformedAnswer("a payment that was not asked for")
            }
            index = payment.index
            return Settlement(invoice, payment)
        }
    }

    private func command(after last: UInt64) -> Command {
        let seconds = UInt64(max(1, limits.settlementWait.components.seconds))
        return Command(
            method: "waitanyinvoice",
            parameters: ["lastpay_index": .unsigned(last), "timeout": .unsigned(seconds)],
            timeout: .seconds(Int64(clamping: seconds)) + limits.answerTimeout,
            waitsForEvent: true
        )
    }
}

extension Settlement {
    fileprivate init(_ invoice: ListedInvoice, _ payment: ListedInvoice.Payment) {
        self.init(
            paymentHash: invoice.paymentHash,
            preimage: payment.preimage,
            received: payment.received,
            settledAt: payment.paidAt,
            cursor: SettlementCursor(String(payment.index)),
            offered: payment.offered
        )
    }
}

extension SettlementCursor {
    /// nil when the cursor is another kind of node's.
    fileprivate var payIndex: UInt64? { UInt64(text) }
}
