import Platform
import LightningCoding
import LightningCrypto
package import ResponderModel

extension CoreLightningBackend {
    /// Every payment that the node has received, in its order, by `waitanyinvoice`; the cursor is its `pay_index`.
    package func settlements(after cursor: SettlementCursor?) -> SettlementStream {
        let feed = SettlementFeed(after: cursor, at: transport, configuration.limits)
        return AsyncThrowingStream { try await feed.next() }
    }

    /// The number of the newest payment, which no command returns: a binary search with `waitanyinvoice` that does not
    /// wait.
    package func presentEnd() async throws(BackendFault) -> SettlementCursor? {
        var last: UInt64 = 0
        var stride: UInt64 = 1 << 20
        while true {
            if let later = try await payIndex(after: last + stride) {
                last = later
            } else if stride == 0 {
                return SettlementCursor(String(last))
            } else {
                stride /= 2
            }
        }
    }

    /// Whether a payment with the cursor's number or a higher one exists.
    ///
    /// `autoclean` deletes paid invoices, the oldest first, and leaves the count as it is. So the count was reset when an
    /// earlier payment is listed, but not that one; or when fewer invoices were ever created than are said to be paid.
    package func cursorState(of cursor: SettlementCursor) async throws(BackendFault) -> CursorState {
        guard let index = cursor.payIndex, index > 0 else { return .reached }
        if try await payIndex(after: index - 1) != nil { return .reached }
        if try await payIndex(after: 0) != nil { return .renumbered }
        let created = try await createdInvoices()
        return created ?? index < index ? .renumbered : .nothingListed(beginning: SettlementCursor("0"))
    }

    /// How many invoices the node has ever created, deleted ones included; nil when it does not tell.
    private func createdInvoices() async throws(BackendFault) -> UInt64? {
        let command = Command(
            method: "wait", parameters: ["subsystem": "invoices", "indexname": "created", "nextvalue": 0],
            timeout: configuration.limits.answerTimeout, waitsForEvent: true)
        do throws(CommandFault) {
            return try await transport.call(command)["created"]?.uint64
        } catch .refused {
            return nil
        } catch .notPermitted {
            return nil
        } catch {
            throw BackendFault(error)
        }
    }

    /// The number of the first payment after another; nil when there is none.
    private func payIndex(after last: UInt64) async throws(BackendFault) -> UInt64? {
        let command = Command(
            method: "waitanyinvoice", parameters: ["lastpay_index": .unsigned(last), "timeout": 0],
            timeout: configuration.limits.answerTimeout, waitsForEvent: true)
        let answer: JSONValue
        do throws(CommandFault) {
            answer = try await transport.call(command)
        } catch {
            if case .refused(ErrorCode.waitTimedOut, _) = error { return nil }
            throw BackendFault(error)
        }
        let index = try NodeAnswer(answer).unsigned("pay_index")
        guard index > last, index < 1 << 53 else { throw .malformedAnswer("pay_index") }
        return index
    }
}

actor SettlementFeed {
    private let transport: any CommandTransport
    private let limits: CallLimits
    /// How many seconds one `waitanyinvoice` call waits for the next settlement before it is repeated.
    private static let wait: UInt64 = 30
    private var index: UInt64?

    init(after cursor: SettlementCursor?, at transport: any CommandTransport, _ limits: CallLimits) {
        self.transport = transport
        self.limits = limits
        index = cursor == nil ? 0 : cursor?.payIndex
    }

    /// Waits for the next settlement; nil when its task is canceled.
    func next() async throws -> SettlementStream.Element? {
        guard let last = index else { throw BackendFault.refused("a cursor of another node") }
        while true {
            let asked = MonotonicTime.now
            let answer: JSONValue
            do throws(CommandFault) {
                answer = try await transport.call(command(after: last))
            } catch {
                switch error {
                case .refused(ErrorCode.waitTimedOut, _):
                    // Avoids a busy loop with a node that does not wait.
                    if MonotonicTime.now - asked < .seconds(1) {
                        guard (try? await Task.sleep(for: .seconds(1))) != nil else { return nil }
                    }
                    continue
                case .canceled: return nil
                default: throw BackendFault(error)
                }
            }
            let report = try Self.read(NodeAnswer(answer), after: last)
            switch report {
            case .success(let settlement): index = settlement?.cursor.payIndex ?? last
            case .failure(let unreadable): index = unreadable.cursor?.payIndex ?? last
            }
            return report
        }
    }

    /// The payment in a response; one of which only the position can be read is skipped.
    private static func read(
        _ answer: NodeAnswer, after last: UInt64
    ) throws(BackendFault) -> SettlementStream.Element {
        do throws(BackendFault) {
            let invoice = try ListedInvoice(answer)
            guard case .paid(let payment) = invoice.state, payment.index > last else {
                throw .malformedAnswer("a payment that was not requested")
            }
            return .success(Settlement(invoice, payment))
        } catch {
            guard let index = try? answer.unsigned("pay_index"), index > last,
                (try? answer.text("status"))?.isExactly("paid") == true
            else { throw error }
            let hash = try? answer.parsed("payment_hash") { try PaymentHash(hexadecimal: $0) }
            return .failure(UnreadableSettlement(paymentHash: hash, error, cursor: SettlementCursor(String(index))))
        }
    }

    private func command(after last: UInt64) -> Command {
        Command(
            method: "waitanyinvoice",
            parameters: ["lastpay_index": .unsigned(last), "timeout": .unsigned(Self.wait)],
            timeout: .seconds(Int64(Self.wait)) + limits.answerTimeout,
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
    /// nil when the cursor belongs to another kind of node.
    fileprivate var payIndex: UInt64? { UInt64(text) }
}
