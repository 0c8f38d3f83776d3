import LightningCoding
import LightningCrypto
import Platform
import ResponderModel

/// Iterates over a hook's settlements for one reader.
actor HookFeed {
    /// How long the hook may wait for a settlement before it returns none, in seconds.
    private static let wait: UInt64 = 25
    private static let pageCount: UInt64 = 100
    /// How many are requested next: one, where a page could not be read, so that one too long stops none after it.
    private var limit = pageCount
    /// The pause between requests to a hook that does not wait.
    private static let pause = Duration.milliseconds(500)

    private let transport: any HookTransport
    /// How long a response may take beyond `wait`.
    private let timeout: Duration
    private let news: WakeSignal.Listener
    private var cursor: SettlementCursor?
    private var page: ArraySlice<SettlementStream.Element> = []
    /// Digests of those without a cursor of their own that were reported: they are listed again until one has come behind
    /// them.
    private var reported: Set<[UInt8]> = []

    init(
        of transport: any HookTransport, after cursor: SettlementCursor?, within timeout: Duration,
        wakeSignal: WakeSignal
    ) {
        self.timeout = timeout
        self.transport = transport
        self.cursor = cursor
        news = WakeSignal.Listener(to: wakeSignal, ticks: AsyncStream { try? await Task.sleep(for: Self.pause) })
    }

    /// Waits for the next settlement; nil when its task is canceled.
    func next() async throws -> SettlementStream.Element? {
        while page.isEmpty {
            guard !Task.isCancelled else { return nil }
            let start = MonotonicTime.now
            page = try await ask()
            if page.isEmpty, MonotonicTime.now - start < Self.pause {
                guard await news.isWoken() else { return nil }
            }
        }
        let report = page.popFirst()
        switch report {
        case .success(let settlement): cursor = settlement?.cursor ?? cursor
        case .failure(let unreadable): cursor = unreadable.cursor ?? cursor
        case nil: break
        }
        return report
    }

    private func ask() async throws(BackendFault) -> ArraySlice<SettlementStream.Element> {
        do throws(BackendFault) {
            let page = try await request()
            // One at a time until all is read: further pages would be too long, too.
            if page.isEmpty { limit = Self.pageCount }
            return page
        } catch .malformedAnswer where limit > 1 {
            limit = 1
            return try await request()
        }
    }

    private func request() async throws(BackendFault) -> ArraySlice<SettlementStream.Element> {
        let parameters: JSONObject = [
            "after": .text(cursor?.text), "wait": .unsigned(Self.wait), "limit": .unsigned(limit),
        ]
        let value = try await transport.call(
            .settlements, parameters, within: timeout + .seconds(Int64(Self.wait))
        ).result
        var settlements: [SettlementStream.Element] = []
        var last = cursor
        for answer in try NodeAnswer(value, to: .settlements).optionalElements("settlements") {
            do throws(BackendFault) {
                let place = SettlementCursor(try answer.text("cursor"))
                // Not every ledger stores U+0000.
                guard place != last, !place.text.utf8.contains(0) else { throw answer.fault("cursor") }
                settlements.append(Self.read(answer, at: place))
                last = place
            } catch {
                // A cursor that does not advance would request the same page forever.
                if let cursor, settlements.isEmpty, (try? answer.text("cursor")) == cursor.text { throw error }
                // Only the cursor of a later one leads past it.
                guard isNew(answer) else { continue }
                settlements.append(
                    .failure(UnreadableSettlement(paymentHash: Self.hash(answer), error, cursor: last)))
            }
        }
        return settlements[...]
    }

    private func isNew(_ answer: NodeAnswer) -> Bool {
        if reported.count >= Self.mostReported { reported = [] }
        return reported.insert(SHA256.hash(JSONValue.object(answer.object).serialized().utf8)).inserted
    }

    private static let mostReported = 1_000

    private static func read(
        _ answer: NodeAnswer, at place: SettlementCursor
    ) -> SettlementStream.Element {
        do throws(BackendFault) {
            return .success(try Settlement(answer))
        } catch {
            return .failure(UnreadableSettlement(paymentHash: hash(answer), error, cursor: place))
        }
    }

    private static func hash(_ answer: NodeAnswer) -> PaymentHash? {
        try? answer.parsed("paymentHash") { try PaymentHash(hexadecimal: $0) }
    }
}
