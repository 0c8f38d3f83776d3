import LightningCoding
import LightningCrypto
import OutboundHTTP
import ResponderModel

/// Iterates over the node's payments for one reader.
///
/// LND numbers settlements from 1. A subscription after number n repeats later ones in order and then continues with
/// new ones; but n = 0 repeats nothing (`channeldb/invoices.go`, `InvoicesSettledSince`), so the first settlement of a
/// node's history is searched for in its list of invoices.
actor SettlementFeed {
    private let backend: LNDBackend
    /// The number after which the reader began.
    private let start: UInt64
    /// The number of the last settlement seen; nil for a cursor that is not LND's.
    private var last: UInt64?
    private var search: FirstSettlement
    private var subscription: Subscription?
    /// The lines whose numbers could not be read, by their digests: LND repeats them in each subscription.
    private var unnumbered: Set<[UInt8]> = []

    private struct Subscription {
        let events: HTTPStream.Iterator
        var lines: FilteredLines
        /// Whether nothing has been settled on it yet: the first one may skip numbers, of payments that belong to no
        /// invoice.
        var isFresh = true
    }

    init(after cursor: SettlementCursor?, of backend: LNDBackend) {
        self.backend = backend
        search = FirstSettlement(backend)
        last = cursor == nil ? 0 : cursor?.settleIndex
        start = cursor?.settleIndex ?? 0
    }

    /// Waits for the next settlement; nil when its task is canceled.
    func next() async throws -> SettlementStream.Element? {
        guard let last else { throw BackendFault.refused("a cursor of another node") }
        do {
            if last == 0 {
                var search = search
                let outcome = try await search.next()
                self.search = search
                if Task.isCancelled { return nil }
                switch outcome {
                case .searching: return .success(nil)
                case .found(let first):
                    self.last = 1
                    if let first { return first }
                }
            }
            return try await nextEvent()
        } catch {
            subscription = nil
            if Task.isCancelled { return nil }
            throw (error as? LNDFault).map(BackendFault.init) ?? error
        }
    }

    private func nextEvent() async throws -> SettlementStream.Element? {
        while !Task.isCancelled {
            if subscription == nil { try subscribe() }
            guard let line = try await nextLine(), let last else { continue }
            let (indices, report) = line.isTooLong ? ([], Self.tooLong(after: last)) : try read(line.kept, after: last)
            if indices.isEmpty, case .failure = report, !isNew(line.kept) { continue }
            // No earlier number was requested, so this node's count was reset. Payments count whatever their number.
            if let report, !indices.contains(where: { $0 > start }) { return report.moved(to: last) }
            guard let index = indices.filter({ $0 > last }).min() else { continue }
            if index > last + 1, subscription?.isFresh == false {
                // A settlement was skipped: LND repeats it in a new subscription.
                subscription = nil
                continue
            }
            self.last = index
            subscription?.isFresh = false
            if let report { return report }
        }
        return nil
    }

    private func read(
        _ line: [UInt8], after last: UInt64
    ) throws(LNDFault) -> ([UInt64], SettlementStream.Element?) {
        Self.report(try envelope(line), after: last)
    }

    /// Whether a line without a number has not been reported.
    private func isNew(_ line: [UInt8]) -> Bool {
        if unnumbered.count >= Self.mostUnnumbered { unnumbered = [] }
        return unnumbered.insert(SHA256.hash(line)).inserted
    }

    private static let mostUnnumbered = 1_000

    private func subscribe() throws(LNDFault) {
        let events = try backend.client.stream(
            "/v1/invoices/subscribe", query: [("settle_index", String(last ?? 0))])
        subscription = Subscription(
            events: events, lines: FilteredLines(limit: backend.configuration.limits.maximumAnswerBytes))
    }

    /// The next line; nil after the head, or after bytes that do not complete a line.
    private func nextLine() async throws(LNDFault) -> MemberFilter? {
        if let line = subscription?.lines.next() { return line }
        if subscription?.lines.isNoise == true { throw .backend(.malformedAnswer("a line that is too long")) }
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

    /// Why the node rejected the subscription. The message is fetched with an ordinary call, limited in size and time
    /// unlike a stream, since the response may not be from LND.
    private func refusal(_ status: Int) async throws(LNDFault) -> LNDFault {
        subscription = nil
        _ = try await backend.client.call(
            .get, "/v1/invoices/subscribe", query: [("settle_index", String(last ?? 0))], needing: .readInvoices)
        return .backend(LNDClient.fault(of: status, otherwise: .malformedAnswer("status \(status)")))
    }

    /// The invoice in `{"result":{…}}`; errors are in `{"error":{…}}`.
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

    /// The settlement numbers of an event, and the settlement if it is an invoice's. Events of new invoices have
    /// neither; AMP payments have numbers but no preimage of a single invoice.
    static func report(
        _ answer: NodeAnswer, after last: UInt64
    ) -> (indices: [UInt64], SettlementStream.Element?) {
        do throws(BackendFault) {
            let indices = try answer.settleIndices()
            let isAMP = answer.has("is_amp") ? try answer.flag("is_amp") : false
            guard !isAMP, try answer.text("state").isExactly("SETTLED") else { return (indices, nil) }
            return (indices, .success(try Settlement(try LNDInvoice(answer))))
        } catch {
            let index = try? answer.lenientNumber("settle_index")
            let hash = try? answer.parsed("r_hash") { try PaymentHash(try Base64.decode($0)) }
            let cursor = SettlementCursor(String(max(index ?? last, last)))
            return (
                index.map { [$0] } ?? [],
                .failure(UnreadableSettlement(paymentHash: hash, error, cursor: cursor))
            )
        }
    }

    private static func tooLong(after last: UInt64) -> SettlementStream.Element {
        .failure(
            UnreadableSettlement(
                paymentHash: nil, .malformedAnswer("a line that is too long"), cursor: SettlementCursor(String(last))))
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

extension Result<Settlement?, UnreadableSettlement> {
    /// The same with another position in the stream.
    fileprivate func moved(to index: UInt64) -> Self {
        let cursor = SettlementCursor(String(index))
        return map { told in
            var moved = told
            moved?.cursor = cursor
            return moved
        }.mapError { UnreadableSettlement(paymentHash: $0.paymentHash, $0.fault, cursor: cursor) }
    }
}

extension SettlementCursor {
    /// nil when the cursor belongs to another kind of node.
    var settleIndex: UInt64? { UInt64(text) }
}
