import Bolt12
import LightningCoding
import Locking
import NodeCalls
import Receiving

/// One reader's way through the list of received payments, a page at a time, oldest first.
actor SettlementFeed {
    private let backend: PhoenixdBackend
    private let news: Bell.Listener
    private var cursor: ListingCursor?
    /// Where the reading stands while it catches up, in milliseconds since 1970; nil at the list's end.
    private var lower: UInt64?
    private var page: ArraySlice<IncomingPayment> = []

    init(after cursor: SettlementCursor?, of backend: PhoenixdBackend) {
        self.backend = backend
        self.cursor = cursor.map(ListingCursor.init) ?? ListingCursor()
        news = Bell.Listener(to: backend.bell, ticks: backend.ticks())
    }

    /// The next settlement, for which it waits; nil when its task is cancelled.
    func next() async throws(BackendFault) -> Settlement? {
        while !Task.isCancelled {
            while let payment = page.popFirst() {
                guard let receipt = payment.receipt, cursor?.contains(payment.paymentHash) == false else { continue }
                let offered = try await offered(payment)
                cursor?.add(payment.paymentHash, at: receipt.completedAt)
                guard let place = cursor?.cursor else { continue }
                return Settlement(
                    paymentHash: payment.paymentHash, preimage: receipt.preimage, received: receipt.received,
                    settledAt: UnixTime(receipt.completedAt / 1000), cursor: place, offered: offered)
            }
            guard let cursor else { throw .refused("no cursor of this node") }
            do {
                let found = try await nextPage(from: max(lower ?? 0, cursor.floor))
                page = found.filter { !cursor.contains($0.paymentHash) }[...]
            } catch {
                if Task.isCancelled { return nil }
                throw error
            }
            if page.isEmpty, lower == nil {
                guard await news.isWoken() else { return nil }
            }
        }
        return nil
    }

    private func offered(_ payment: IncomingPayment) async throws(BackendFault) -> OfferedPayment? {
        guard payment.isOffered, backend.configuration.offerLabel != nil else { return nil }
        let offer = try await backend.defaultOffer()
        return OfferedPayment(offer: offer.id, invoice: nil, payerNote: payment.payerNote)
    }

    /// The payments of a span of time that fit on a page, oldest first. The list is newest first: as long as it has more than fits,
    /// the span is halved from its end.
    private func nextPage(from lower: UInt64) async throws(BackendFault) -> ArraySlice<IncomingPayment> {
        var upper: UInt64?
        while true {
            let payments = try await list(from: lower, to: upper)
            if payments.count < Self.pageCount {
                self.lower = upper.map { $0 + 1 }
                return payments.reversed()[...]
            }
            let oldest = payments.compactMap { $0.receipt?.completedAt }.min() ?? lower
            guard oldest > lower else { return try await moment(lower, first: payments) }
            upper = lower + (min(oldest, upper ?? oldest) - lower) / 2
        }
    }

    /// More than a page of one millisecond: by place in the list, which new payments only lengthen at its other end.
    private func moment(
        _ time: UInt64, first: [IncomingPayment]
    ) async throws(BackendFault) -> ArraySlice<IncomingPayment> {
        var all: [IncomingPayment] = []
        while true {
            let more = try await list(from: time, to: time, offset: all.count)
            all += more
            guard more.count == Self.pageCount, all.count < Self.maximumOfOneMoment else { break }
        }
        lower = time + 1
        return all.reversed()[...]
    }

    private func list(
        from lower: UInt64, to upper: UInt64?, offset: Int = 0
    ) async throws(BackendFault) -> [IncomingPayment] {
        var query = [(name: "from", value: String(lower)), (name: "limit", value: String(Self.pageCount))]
        if let upper { query.append((name: "to", value: String(upper))) }
        if offset > 0 { query.append((name: "offset", value: String(offset))) }
        let question = query
        let body = try await backend.ask { door throws(PhoenixdDoor.Fault) in
            try await door.get("/payments/incoming", query: question)
        }
        let value: JSONValue
        do {
            value = try JSONValue(parsing: body, limits: backend.configuration.limits.json)
        } catch {
            throw .malformedAnswer("no JSON: \(error.kind) at byte \(error.offset)")
        }
        var payments: [IncomingPayment] = []
        for element in try NodeAnswer.elements(value, "") { payments.append(try IncomingPayment(element)) }
        guard payments.count <= Self.pageCount, payments.allSatisfy({ $0.receipt != nil }) else {
            throw .malformedAnswer("payments that were not asked for")
        }
        return payments
    }

    /// More than the cursor remembers, so that what is read again leaves room for news.
    private static let pageCount = 250
    private static let maximumOfOneMoment = 10_000
}
