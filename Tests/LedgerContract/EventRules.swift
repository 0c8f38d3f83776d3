import LightningCoding
import LightningCrypto
package import ResponderModel
import Testing

extension Sample {
    /// The event with that number, received `number` seconds after the start.
    package static func event(
        _ number: UInt64, for account: String = "alice", isWhole: Bool = true
    ) throws -> EventRecord {
        EventRecord(
            receivedAt: start.adding(seconds: number),
            account: try Sample.account(account),
            type: "lnurlpay_invoice",
            envelope: "template",
            payload: #"{"amount":\#(number)}"#,
            outcome: isWhole ? .answered : .outOfTime,
            answer: isWhole ? #"{"pr":"ln","routes":[]}"# : nil,
            paymentHash: isWhole ? try preimage(number).paymentHash : nil,
            steps: [.init("node", milliseconds: 3), .init("answer", milliseconds: .max)],
            delivery: isWhole ? .taken : nil
        )
    }
}

extension LedgerRule {
    static let events = [
        LedgerRule("An event reads back as written, whatever its outcome") { ledger in
            try await ledger.put("alice")
            for outcome in EventRecord.Outcome.allCases {
                for delivery in [nil] + EventRecord.Delivery.allCases {
                    let event = EventRecord(
                        receivedAt: Sample.start, account: try Sample.alice(), type: "t", envelope: "push",
                        payload: "{}",
                        outcome: outcome, delivery: delivery)
                    try await ledger.record(event)
                    #expect(try await ledger.events(EventQuery(limit: 1)).elements == [event])
                }
            }
            for isWhole in [true, false] {
                let event = try Sample.event(1, isWhole: isWhole)
                try await ledger.record(event)
                #expect(try await ledger.events(EventQuery(limit: 1)).elements == [event])
            }
        },
        LedgerRule("Events are listed newest first, in pages, for one account or all") { ledger in
            for name in ["alice", "bob"] { try await ledger.put(name) }
            let events = try (1...5).map { try Sample.event($0, for: $0 == 3 ? "bob" : "alice") }
            for event in events { try await ledger.record(event) }
            let first = try await ledger.events(EventQuery(limit: 3))
            #expect(first.elements == [events[4], events[3], events[2]])
            let second = try await ledger.events(EventQuery(after: first.next, limit: 3))
            #expect(second.elements == [events[1], events[0]])
            #expect(second.next == nil)
            #expect(try await ledger.events(EventQuery(account: Sample.account("bob"))).elements == [events[2]])
            #expect(try await ledger.events(EventQuery(account: Sample.account("carol"))).elements.isEmpty)
        },
        LedgerRule("Events are deleted by age and by number") { ledger in
            try await ledger.put("alice")
            let events = try (1...6).map { try Sample.event($0) }
            for event in events { try await ledger.record(event) }
            #expect(try await ledger.pruneEvents(before: Sample.start.adding(seconds: 3), keeping: 100) == 2)
            #expect(try await ledger.events(EventQuery()).elements == [events[5], events[4], events[3], events[2]])
            #expect(try await ledger.pruneEvents(before: Sample.start, keeping: 3) == 1)
            #expect(try await ledger.pruneEvents(before: Sample.start, keeping: .max) == 0)
            #expect(try await ledger.events(EventQuery()).elements == [events[5], events[4], events[3]])
            #expect(try await ledger.pruneEvents(before: Sample.start, keeping: 0) == 3)
        },
        LedgerRule("Long texts of an event are truncated between characters") { ledger in
            try await ledger.put("alice")
            let event = EventRecord(
                receivedAt: Sample.start, account: try Sample.alice(), type: "t", envelope: "push",
                payload: "x" + String(repeating: "é", count: EventRecord.maximumText), outcome: .ignored)
            #expect(event.payload == "x" + String(repeating: "é", count: EventRecord.maximumText / 2 - 1))
            try await ledger.record(event)
            #expect(try await ledger.events(EventQuery()).elements == [event])
        },
        LedgerRule("The text in force at a moment is the last one stored by then, or else the first") { ledger in
            try await ledger.put("bob")
            _ = try await ledger.removeAccount(named: Sample.account("bob"))
            for (index, text) in ["one", "two", "three"].enumerated() {
                _ = try await ledger.putAccount(
                    named: Sample.alice(), settings: Sample.settings(), metadata: Sample.metadata(text),
                    at: Sample.start.adding(seconds: UInt64(index) * 100))
            }
            func state(_ seconds: UInt64) async throws -> ShownMetadata? {
                try await ledger.metadata(of: Sample.alice(), shownAt: UnixTime(seconds))
            }
            let start = Sample.start.seconds
            let one = ShownMetadata(
                version: 1, text: Sample.metadata("one"), replacedAt: Sample.start.adding(seconds: 100))
            #expect(try await state(0) == one)
            #expect(try await state(start + 99) == one)
            #expect(try await state(start + 100)?.version == 2)
            #expect(try await state(start + 199)?.replacedAt == Sample.start.adding(seconds: 200))
            let three = ShownMetadata(version: 3, text: Sample.metadata("three"), replacedAt: nil)
            #expect(try await state(start + 200) == three)
            #expect(try await ledger.metadata(of: Sample.account("bob"), shownAt: Sample.start) == nil)
            _ = try await ledger.removeAccount(named: Sample.alice())
            #expect(try await state(start + 200) == nil)
        },
        LedgerRule("Open invoices are counted up to a limit, without settled, expired and other accounts' ones") {
            ledger in
            try await ledger.put("alice")
            try await ledger.put("bob")
            func open(_ seconds: UInt64, limit: UInt64 = 10) async throws -> OpenInvoices {
                try await ledger.openInvoices(
                    of: Sample.alice(), at: Sample.start.adding(seconds: seconds), countingTo: limit)
            }
            #expect(try await open(0) == OpenInvoices(count: 0, nextExpiry: nil))
            for number in UInt64(1)...4 { try await ledger.record(Sample.invoice(number), using: nil) }
            try await ledger.record(Sample.invoice(5, for: Sample.account("bob")), using: nil)
            _ = try await ledger.record(Sample.settlement(2), from: .embedded)
            #expect(try await open(0) == OpenInvoices(count: 3, nextExpiry: Sample.start.adding(seconds: 301)))
            #expect(try await open(301) == OpenInvoices(count: 2, nextExpiry: Sample.start.adding(seconds: 303)))
            #expect(try await open(0, limit: 2).count == 2)
            #expect(try await open(304).count == 0)
        },
        LedgerRule("A notified request has one invoice while that can be paid, and a new one afterwards") { ledger in
            try await ledger.put("alice")
            let question = RequestDigest(of: [1])
            let first = try Sample.invoice(1)
            try await ledger.record(first, using: .request(question))
            #expect(try await ledger.answer(to: question, at: first.createdAt) == first)
            await #expect(throws: LedgerFault.requestAnswered) {
                try await ledger.record(Sample.invoice(2), using: .request(question))
            }
            #expect(try await ledger.invoice(Sample.invoice(2).paymentHash) == nil)
            let later = try Sample.invoice(400)
            try await ledger.record(later, using: .request(question))
            #expect(try await ledger.answer(to: question, at: later.createdAt) == later)
        },
    ]
}
