import LightningCoding
import LightningCrypto
import NodeHTTP
import OutboundHTTP
import Contracts

/// One reader's way through the node's payments.
///
/// LND numbers settlements from 1. A subscription after number n repeats what came since, in order, and goes on with what comes;
/// but n = 0 repeats nothing (`channeldb/invoices.go`, `InvoicesSettledSince`), so that the first settlement of a node's life is
/// looked for in the list of its invoices.
actor SettlementFeed {
    private let backend: LNDBackend
    /// The number behind which the reader began.
    private let start: UInt64
    /// The number of the last settlement that was seen; nil for a cursor that is none of LND's.
    private var last: UInt64?
    private var subscription: Subscription?

    /// An answer that comes line by line.
    private struct Subscription {
        let events: HTTPStream.Iterator
        var lines: LineSplitter
        /// Whether nothing has been settled on it yet: the first one may leave numbers out, those of payments that are no invoice's.
        var isFresh = true
    }

    init(after cursor: SettlementCursor?, of backend: LNDBackend) {
        self.backend = backend
        last = cursor == nil ? 0 : cursor?.settleIndex
        start = cursor?.settleIndex ?? 0
    }

    /// The next settlement, for which it waits; nil when its task is cancelled.
    func next() async throws -> Settlement? {
        guard let last else { throw BackendFault.refused("no cursor of this node") }
        do {
            if last == 0 {
                var search = FirstSettlement(backend)
                let first = try await search.search()
                if Task.isCancelled { return nil }
                self.last = 1
                if let first { return first }
            }
            return try await nextEvent()
        } catch {
            subscription = nil
            if Task.isCancelled { return nil }
            throw (error as? LNDFault).map(BackendFault.init) ?? error
        }
    }

    private func nextEvent() async throws -> Settlement? {
        while !Task.isCancelled {
            if subscription == nil { try subscribe() }
            guard let line = try await nextLine() else { continue }
            let invoice = try envelope(line)
            let (indices, settlement) = try readable(invoice)
            guard let last else { continue }
            // No number of before was asked for: this node has counted anew. What was paid counts, whatever its number.
            if let settlement, !indices.contains(where: { $0 > start }) { return settlement.moved(to: last) }
            guard let index = indices.filter({ $0 > last }).min() else { continue }
            if index > last + 1, subscription?.isFresh == false {
                // Something was left out: LND repeats it to those who ask anew.
                subscription = nil
                continue
            }
            self.last = index
            subscription?.isFresh = false
            if let settlement { return settlement }
        }
        return nil
    }

    /// What an event is about. One that cannot be read, but whose number can, is passed over with an error of its own.
    private func readable(_ invoice: NodeAnswer) throws -> ([UInt64], Settlement?) {
        do throws(LNDFault) {
            return try Self.settled(invoice)
        } catch {
            guard case .backend(let fault) = error, let index = try? invoice.number("settle_index"), let last,
                index > last
            else { throw error }
            self.last = index
            let hash = try? invoice.parsed("r_hash") { try PaymentHash(try Base64.decode($0)) }
            throw UnreadableSettlement(paymentHash: hash, fault, cursor: SettlementCursor(String(index)))
        }
    }

    private func subscribe() throws(LNDFault) {
        let events = try backend.client.stream(
            "/v1/invoices/subscribe", query: [("settle_index", String(last ?? 0))])
        subscription = Subscription(
            events: events, lines: LineSplitter(limit: backend.configuration.limits.maximumLineBytes))
    }

    /// The next line; nil when the head came, or some bytes that end none.
    private func nextLine() async throws(LNDFault) -> [UInt8]? {
        do {
            if let line = try subscription?.lines.next() { return line }
        } catch {
            throw .backend(.malformedAnswer("a line that is too long"))
        }
        let event: HTTPStreamEvent?
        do {
            event = try await subscription?.events.next()
        } catch {
            if error == .otherKey { backend.client.forget() }
            throw .backend(BackendFault(error))
        }
        switch event {
        case .head(200, _): break
        case .head(let status, _): throw try await refusal(status)
        case .bytes(let bytes): subscription?.lines.append(bytes)
        case nil: throw .backend(.unreachable("the node has ended its stream of invoices"))
        }
        return nil
    }

    /// Why the node has refused the subscription. Its words are fetched by a call that is bounded in size and time, as a stream is
    /// not: what answers there may be another than LND.
    private func refusal(_ status: Int) async throws(LNDFault) -> LNDFault {
        subscription = nil
        _ = try await backend.client.call(
            .get, "/v1/invoices/subscribe", query: [("settle_index", String(last ?? 0))], needing: .readInvoices)
        return .backend(LNDClient.fault(of: status, otherwise: .malformedAnswer("status \(status)")))
    }

    /// The invoice in `{"result":{…}}`; an error stands in `{"error":{…}}`.
    private func envelope(_ line: [UInt8]) throws(LNDFault) -> NodeAnswer {
        let error: NodeAnswer
        do {
            let message = try NodeAnswer(line, backend.configuration.limits)
            if message.has("result") { return try message.member("result") }
            error = message.has("error") ? try message.member("error") : message
        } catch {
            throw .backend(LNDClient.fault(of: 200, otherwise: error))
        }
        throw backend.client.refusal(error, status: 200, needing: .readInvoices)
    }

    /// The numbers of the settlements that an event is about, and the settlement if it is an invoice's. New invoices are told of
    /// too, and are none; AMP payments have numbers, but no preimage that is one invoice's.
    static func settled(_ answer: NodeAnswer) throws(LNDFault) -> ([UInt64], Settlement?) {
        do {
            let indices = try answer.settleIndices()
            let isAMP = answer.has("is_amp") ? try answer.truth("is_amp") : false
            guard !isAMP, try answer.text("state").isExactly("SETTLED") else { return (indices, nil) }
            return (indices, try Settlement(try LNDInvoice(answer)))
        } catch {
            throw .backend(error)
        }
    }
}

extension Settlement {
    fileprivate init(_ invoice: LNDInvoice) throws(BackendFault) {
        guard case .settled(let payment) = invoice.state else { throw .malformedAnswer("state") }
        self.init(
            paymentHash: invoice.paymentHash,
            preimage: payment.preimage,
            received: payment.received,
            settledAt: payment.settledAt,
            cursor: SettlementCursor(String(payment.index))
        )
    }
}

extension Settlement {
    /// The same with another place in the stream.
    fileprivate func moved(to index: UInt64) -> Settlement {
        Settlement(
            paymentHash: paymentHash, preimage: preimage, received: received, settledAt: settledAt,
            cursor: SettlementCursor(String(index)), offered: offered)
    }
}

extension SettlementCursor {
    /// nil when the cursor is another kind of node's.
    var settleIndex: UInt64? { UInt64(text) }
}
