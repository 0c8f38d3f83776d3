import Bolt12
import LightningCoding
import LightningCrypto
import OutboundHTTP
import Platform
package import ResponderModel

/// Iterates over the list of received payments for one reader, a page at a time, oldest first.
actor SettlementFeed {
    private let backend: PhoenixdBackend
    private let news: WakeSignal.Listener
    private var cursor: ListingCursor?
    /// The position while catching up, in milliseconds since 1970; nil at the list's end.
    private var lower: UInt64?
    private var page: ArraySlice<ListedPayment> = []
    /// Why payments cannot even be identified, until that is reported.
    private var unidentified: [BackendFault] = []
    /// Their digests: they are listed again each time, but reported once.
    private var knownUnidentified: Set<[UInt8]> = []

    init(after cursor: SettlementCursor?, of backend: PhoenixdBackend) {
        self.backend = backend
        self.cursor = cursor.map(ListingCursor.init) ?? ListingCursor()
        news = WakeSignal.Listener(to: backend.wakeSignal, ticks: backend.ticks())
    }

    /// Waits for the next settlement; nil when its task is canceled.
    func next() async throws -> SettlementStream.Element? {
        while !Task.isCancelled {
            if let place = cursor?.cursor, let fault = unidentified.popLast() {
                return .failure(UnreadableSettlement(paymentHash: nil, fault, cursor: place))
            }
            while let listed = page.popFirst() {
                guard cursor?.contains(listed.paymentHash) == false else { continue }
                if let report = try await report(listed) { return report }
            }
            if lower == nil { cursor?.stayBehind(now) }
            guard let cursor else { throw BackendFault.refused("a cursor of another node") }
            do {
                let found = try await nextPage(from: max(lower ?? 0, cursor.floor))
                page = found.filter { !cursor.contains($0.paymentHash) }[...]
            } catch {
                if Task.isCancelled { return nil }
                throw error
            }
            if page.isEmpty, lower == nil, unidentified.isEmpty {
                guard await news.isWoken() else { return nil }
            }
        }
        return nil
    }

    /// Moves the cursor past it, whether it can be read or not.
    private func report(_ listed: ListedPayment) async throws -> SettlementStream.Element? {
        var offered: OfferedPayment?
        var contents = listed.contents
        do throws(BackendFault) {
            if case .success(let payment) = contents { offered = try await self.offered(payment) }
        } catch .malformedAnswer(let what) {
            contents = .failure(.malformedAnswer(what))
        }
        cursor?.add(listed.paymentHash, at: listed.completedAt, now: now)
        guard let place = cursor?.cursor else { return nil }
        switch contents {
        case .success(let payment):
            guard let receipt = payment.receipt else { return nil }
            return .success(
                Settlement(
                    paymentHash: payment.paymentHash, preimage: receipt.preimage, received: receipt.received,
                    settledAt: UnixTime(receipt.completedAt / 1000), cursor: place, offered: offered))
        case .failure(let fault):
            return .failure(UnreadableSettlement(paymentHash: listed.paymentHash, fault, cursor: place))
        }
    }

    private func offered(_ payment: IncomingPayment) async throws(BackendFault) -> OfferedPayment? {
        guard payment.isOffered, backend.configuration.offerLabel != nil else { return nil }
        let offer = try await backend.defaultOffer()
        return OfferedPayment(offer: offer.id, invoice: nil, payerNote: payment.payerNote)
    }

    private var now: UInt64 { backend.now }

    /// The payments of a time span that fit on a page, oldest first. The list is newest first: while it has more than
    /// fit, the span is halved from its end.
    private func nextPage(from lower: UInt64) async throws(BackendFault) -> ArraySlice<ListedPayment> {
        var upper: UInt64?
        while true {
            let (payments, count) = try await list(from: lower, to: upper)
            // The node counts on-chain payments when it cuts a page and drops them afterwards: a page with gaps need
            // not be the last one.
            let isFull = count == Self.pageCount
            let isMarkedOff = count == 0 || isFull
            let behind = isMarkedOff ? 0 : try await list(from: lower, to: upper, offset: Self.pageCount).count
            if !isFull, behind == 0 {
                self.lower = upper.map { $0 + 1 }
                return payments.reversed()[...]
            }
            let oldest = payments.map(\.completedAt).min() ?? lower
            guard oldest > lower else { return try await moment(lower) }
            // A node that ignores the end would be asked for ever.
            guard upper != lower else { throw .malformedAnswer("payments of a time that was not requested") }
            upper = lower + (min(oldest, upper ?? oldest) - lower) / 2
        }
    }

    /// More than a page within one millisecond: paged by offset, since new payments are added only at the other end.
    private func moment(_ time: UInt64) async throws(BackendFault) -> ArraySlice<ListedPayment> {
        var all: [ListedPayment] = []
        var offset = 0
        while offset < Self.maximumOfOneMoment {
            let (more, count) = try await list(from: time, to: time, offset: offset)
            guard count > 0 else { break }
            all += more
            offset += Self.pageCount
        }
        lower = time + 1
        return all.reversed()[...]
    }

    private func list(
        from lower: UInt64, to upper: UInt64?, offset: Int = 0
    ) async throws(BackendFault) -> (payments: [ListedPayment], count: Int) {
        // Without an end the node omits payments that its clock, when it was ahead, has dated into the future.
        var query = [
            (name: "from", value: String(lower)), (name: "to", value: String(upper ?? UInt64(Int64.max))),
            (name: "limit", value: String(Self.pageCount)),
        ]
        if offset > 0 { query.append((name: "offset", value: String(offset))) }
        let body = try await backend.ask(.get, "/payments/incoming", query)
        let value = try rethrowing(JSONValue(parsing: body, limits: backend.configuration.limits.json)) {
            (fault: JSONFault) in BackendFault.malformedAnswer("no JSON: \(fault.reason)")
        }
        let elements = try NodeAnswer.elements(of: value)
        guard elements.count <= Self.pageCount else { throw .malformedAnswer("more payments than were requested") }
        var payments: [ListedPayment] = []
        for element in elements {
            do throws(BackendFault) {
                payments.append(try ListedPayment(element))
            } catch {
                note(element, error)
            }
        }
        // A whole page of which nothing can be read says nothing of single payments, nor where to read on.
        if payments.isEmpty, elements.count == Self.pageCount, let first = elements.first {
            _ = try ListedPayment(first)
        }
        return (payments, elements.count)
    }

    private func note(_ element: NodeAnswer, _ fault: BackendFault) {
        if knownUnidentified.count >= ListingCursor.futureCapacity { knownUnidentified = [] }
        let digest = SHA256.hash(JSONValue.object(element.object).serialized().utf8)
        if knownUnidentified.insert(digest).inserted { unidentified.append(fault) }
    }

    /// More than the cursor remembers, so that a page has space for new payments besides repeated ones.
    private static let pageCount = 250
    private static let maximumOfOneMoment = 10_000
}

/// An entry of the list of received payments: its identity, and its contents if they can be read.
struct ListedPayment: Sendable {
    let paymentHash: PaymentHash
    /// In milliseconds since 1970; at most `Int64.max`, the limit of times in queries.
    let completedAt: UInt64
    let contents: Result<IncomingPayment, BackendFault>

    /// - Throws: when not even its identity can be read.
    init(_ answer: NodeAnswer) throws(BackendFault) {
        paymentHash = try answer.parsed("paymentHash") { try PaymentHash(hexadecimal: $0) }
        completedAt = try answer.lenientNumber("completedAt")
        guard Int64(exactly: completedAt) != nil else { throw answer.fault("completedAt") }
        do throws(BackendFault) {
            let payment = try IncomingPayment(answer)
            guard payment.receipt != nil else { throw answer.fault("isPaid") }
            contents = .success(payment)
        } catch {
            contents = .failure(error)
        }
    }
}

extension PhoenixdBackend {
    /// Every payment that the node has received, in order of completion, by `payments/incoming`, which is called at
    /// every tick and whenever a webhook reports a payment.
    package func settlements(after cursor: SettlementCursor?) -> SettlementStream {
        let feed = SettlementFeed(after: cursor, of: self)
        return AsyncThrowingStream { try await feed.next() }
    }

    /// Ten minutes ago by our clock: later payments are listed later or read again.
    package func presentEnd() async throws(BackendFault) -> SettlementCursor? {
        ListingCursor(present: now).cursor
    }

    /// In milliseconds since 1970, at the end of the second.
    var now: UInt64 {
        let seconds = clock().seconds
        return seconds < UInt64.max / 1000 ? seconds * 1000 + 999 : .max
    }
}
