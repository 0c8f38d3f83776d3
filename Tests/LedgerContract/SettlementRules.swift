import Bolt12
import LightningCoding
import LightningCrypto
import ResponderModel
import Testing

extension LedgerRule {
    static let settlements = [
        LedgerRule("A settlement is recorded once, with its amount, and moves the cursor each time") { ledger in
            try await ledger.put("alice")
            try await ledger.record(try Sample.invoice(1), using: nil)
            #expect(try await ledger.cursor(of: .embedded) == nil)
            var settled = try Sample.invoice(1)
            settled.settlement = RecordedSettlement(
                settledAt: Sample.start.adding(seconds: 101), received: Millisatoshi(1005),
                preimage: try Sample.preimage(1)
            )
            let hash = settled.paymentHash
            #expect(try await ledger.record(try Sample.settlement(1, cursor: "7"), from: .embedded) == settled)
            #expect(try await ledger.invoice(hash) == settled)
            #expect(try await ledger.cursor(of: .embedded) == SettlementCursor("7"))
            let again = Settlement(
                paymentHash: hash, preimage: try Sample.preimage(1), received: Millisatoshi(9), settledAt: Sample.start,
                cursor: SettlementCursor("8")
            )
            #expect(try await ledger.record(again, from: .embedded) == nil)
            #expect(try await ledger.invoice(hash) == settled)
            #expect(try await ledger.cursor(of: .embedded) == SettlementCursor("8"))
        },
        LedgerRule("A payment that cannot be read is listed until its invoice is settled, and the cursor passes it") {
            ledger in
            try await ledger.put("alice")
            let invoice = try Sample.invoice(1)
            try await ledger.record(invoice, using: nil)
            let lease = try await ledger.held(.following(.embedded))
            let known = UnreadableSettlement(
                paymentHash: invoice.paymentHash, .malformedAnswer("amount"), cursor: SettlementCursor("7"))
            let unknown = UnreadableSettlement(paymentHash: nil, .timedOut, cursor: SettlementCursor("8"))
            for (number, skipped) in [known, unknown, known].enumerated() {
                try await ledger.pass(
                    over: skipped, of: .embedded, at: Sample.start.adding(seconds: UInt64(number)), under: lease)
                #expect(try await ledger.cursor(of: .embedded) == skipped.cursor)
            }
            func row(_ skipped: UnreadableSettlement, _ seconds: UInt64) -> SkippedSettlement {
                SkippedSettlement(
                    backend: .embedded, paymentHash: skipped.paymentHash, reason: skipped.reason,
                    cursor: skipped.cursor,
                    skippedAt: Sample.start.adding(seconds: seconds))
            }
            #expect(try await ledger.skippedSettlements(limit: 9) == [row(known, 2), row(unknown, 1)])
            #expect(try await ledger.skippedSettlements(limit: 1) == [row(known, 2)])
            // One without a place does not move the cursor.
            let unplaced = UnreadableSettlement(paymentHash: nil, .overloaded, cursor: nil)
            try await ledger.pass(over: unplaced, of: .embedded, at: Sample.start, under: lease)
            #expect(try await ledger.cursor(of: .embedded) == known.cursor)
            #expect(try await ledger.skippedSettlements(limit: 9).last == row(unplaced, 0))
            let end = UnixTime(UInt64(Int64.max))
            #expect(try await ledger.forgetExpired([invoice.paymentHash], before: end) == 0)
            #expect(try await ledger.invoice(invoice.paymentHash) != nil)
            _ = try await ledger.record(Sample.settlement(1, cursor: "9"), from: .embedded)
            #expect(try await ledger.skippedSettlements(limit: 9) == [row(unknown, 1), row(unplaced, 0)])
        },
        LedgerRule("Behind a cursor that was forgotten a smaller one counts, and other backends keep theirs") {
            ledger in
            let other = try #require(BackendName("other"))
            try await ledger.put("alice")
            for number in UInt64(1)...2 { try await ledger.record(try Sample.invoice(number), using: nil) }
            _ = try await ledger.record(try Sample.settlement(1, cursor: "100"), from: .embedded)
            try await ledger.pass(to: SettlementCursor("7"), of: other)
            try await ledger.forgetCursor(of: .embedded)
            #expect(try await ledger.cursor(of: .embedded) == nil)
            #expect(try await ledger.cursor(of: other) == SettlementCursor("7"))
            #expect(try await ledger.record(try Sample.settlement(1, cursor: "1"), from: .embedded) == nil)
            #expect(try await ledger.record(try Sample.settlement(2, cursor: "2"), from: .embedded)?.settlement != nil)
            #expect(try await ledger.cursor(of: .embedded) == SettlementCursor("2"))
        },
        LedgerRule("A backend is followed without a gap while that is recorded at least once a day") { ledger in
            let day = FollowedSpan.longestPause
            let other = try #require(BackendName("other"))
            #expect(try await ledger.followedSpan(of: .embedded) == nil)
            func note(_ now: UnixTime) async throws -> FollowedSpan? {
                try await ledger.noteFollowing(.embedded, at: now)
                return try await ledger.followedSpan(of: .embedded)
            }
            let start = Sample.start
            #expect(try await note(start) == FollowedSpan(since: start, until: start))
            let next = start.adding(seconds: day)
            #expect(try await note(next) == FollowedSpan(since: start, until: next))
            // A clock set back a little changes nothing.
            let back = start.adding(seconds: day - 60)
            #expect(try await note(back) == FollowedSpan(since: start, until: back))
            let late = back.adding(seconds: day + 1)
            #expect(try await note(late) == FollowedSpan(since: late, until: late))
            // One that was ahead by more than a day makes a gap.
            #expect(try await note(back) == FollowedSpan(since: back, until: back))
            #expect(try await ledger.followedSpan(of: other) == nil)
            try await ledger.forgetCursor(of: .embedded)
            #expect(try await ledger.followedSpan(of: .embedded) != nil)
            #expect(try await ledger.unbind(.embedded))
            #expect(try await ledger.followedSpan(of: .embedded) == nil)
        },
        LedgerRule("A settlement of an unknown invoice moves the cursor only") { ledger in
            try await ledger.put("alice")
            #expect(try await ledger.record(try Sample.settlement(1, cursor: "3"), from: .embedded) == nil)
            #expect(try await ledger.cursor(of: .embedded) == SettlementCursor("3"))
            #expect(try await ledger.invoices(InvoiceQuery(now: Sample.start)).elements.isEmpty)
        },
        LedgerRule("A settlement looked up by its hash is recorded once, and does not move the cursor") { ledger in
            let other = try #require(BackendName("main-node"))
            try await ledger.put("alice")
            try await ledger.record(try Sample.invoice(1), using: nil)
            var settled = try Sample.invoice(1)
            let settlement = RecordedSettlement(
                settledAt: Sample.start.adding(seconds: 5), received: Millisatoshi(1001),
                preimage: try Sample.preimage(1))
            settled.settlement = settlement
            let hash = settled.paymentHash
            #expect(try await ledger.record(settlement, of: hash, from: other) == nil)
            #expect(try await ledger.invoice(hash)?.settlement == nil)
            #expect(try await ledger.record(settlement, of: hash, from: .embedded) == settled)
            #expect(try await ledger.record(settlement, of: hash, from: .embedded) == nil)
            #expect(try await ledger.invoice(hash) == settled)
            #expect(try await ledger.cursor(of: .embedded) == nil)
            #expect(try await ledger.record(try Sample.settlement(1, cursor: "7"), from: .embedded) == nil)
            #expect(try await ledger.cursor(of: .embedded) == SettlementCursor("7"))
        },
        LedgerRule("The cursor can move without a settlement") { ledger in
            let other = try #require(BackendName("main-node"))
            for text in ["5", "4"] {
                try await ledger.pass(to: SettlementCursor(text), of: .embedded)
                #expect(try await ledger.cursor(of: .embedded) == SettlementCursor(text))
                #expect(try await ledger.cursor(of: other) == nil)
            }
        },
        LedgerRule("Each backend settles its own invoices, and has its own cursor") { ledger in
            let other = try #require(BackendName("main-node"))
            try await ledger.put("alice")
            try await ledger.record(try Sample.invoice(1), using: nil)
            #expect(try await ledger.record(try Sample.settlement(1, cursor: "abc"), from: other) == nil)
            #expect(try await ledger.cursor(of: other) == SettlementCursor("abc"))
            #expect(try await ledger.cursor(of: .embedded) == nil)
            #expect(try await ledger.invoice(Sample.preimage(1).paymentHash)?.settlement == nil)
        },
        LedgerRule("Of many concurrent records of a settlement, one settles the invoice") { ledger in
            try await ledger.put("alice")
            try await ledger.record(try Sample.invoice(1), using: nil)
            let settled = try await withThrowingTaskGroup(of: Bool.self, returning: Int.self) { group in
                for _ in 0..<20 {
                    group.addTask { try await ledger.record(try Sample.settlement(1), from: .embedded) != nil }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(settled == 1)
        },
        LedgerRule("The payment of a node's own offer adds its invoice, settled, to the offer's account, once") {
            ledger in
            try await ledger.put("alice")
            let offer = try await ledger.putOffer(Sample.offer(1, origin: .node))
            let invoice = try Sample.offeredInvoice(1, for: offer)
            let settlement = try Sample.settlement(1, offered: Sample.payment(for: offer, by: invoice))
            let added = try #require(try await ledger.record(settlement, from: .embedded))
            #expect(added.account == offer.account)
            #expect(added.bolt11 == nil)
            #expect(added.amount == invoice.amount)
            #expect(added.createdAt == invoice.createdAt)
            guard case .bolt12(let told) = invoice.origin, case .bolt12(let kept) = added.origin else {
                Issue.record("not by an offer")
                return
            }
            // The payer's note is read from the invoice when it is not reported separately.
            #expect(kept == .init(offer: told.offer, invoice: told.invoice, quantity: nil, payerNote: nil, name: nil))
            #expect(added.settlement?.received == settlement.received)
            #expect(added.settlement?.preimage == settlement.preimage)
            #expect(try await ledger.record(settlement, from: .embedded) == nil)
            #expect(try await ledger.invoices(InvoiceQuery(now: Sample.start)).elements == [added])
        },
        LedgerRule("If a node does not report the invoice, the amount and time of the payment replace it") { ledger in
            try await ledger.put("alice")
            let offer = try await ledger.putOffer(Sample.offer(1, origin: .node))
            let payment = OfferedPayment(offer: offer.offer.id, invoice: nil, payerNote: "hi")
            let settlement = try Sample.settlement(1, offered: payment)
            let added = try #require(try await ledger.record(settlement, from: .embedded))
            #expect(added.amount == settlement.received)
            #expect(added.createdAt == settlement.settledAt)
            #expect(added.expiresAt == settlement.settledAt.adding(seconds: 1))
            let origin = InvoiceOrigin.OfferedInvoice(
                offer: offer.offer.id, invoice: nil, quantity: nil, payerNote: "hi", name: nil
            )
            #expect(added.origin == .bolt12(origin))
        },
        LedgerRule("A name that the payer gives and that no name can be is left out, and the payment is recorded") {
            ledger in
            try await ledger.put("alice")
            let offer = try await ledger.putOffer(Sample.offer(1, origin: .node))
            for (number, byte, name) in [
                (UInt64(1), UInt8(0), nil), (2, 0xFF, nil), (3, UInt8(ascii: "-"), "a-b@c.example"),
            ] {
                let payment = try Sample.payment(number, for: offer, nameOf: byte)
                let settlement = try Sample.settlement(number, cursor: "\(number)", offered: payment)
                let added = try #require(try await ledger.record(settlement, from: .embedded))
                guard case .bolt12(let origin) = added.origin else {
                    Issue.record("not by an offer")
                    return
                }
                #expect(origin.name == name)
            }
        },
        LedgerRule("The payment of an unknown offer, or of another node's, adds nothing") { ledger in
            try await ledger.put("alice")
            let ours = try await ledger.putOffer(Sample.offer(1))
            for (number, offer) in [(UInt64(1), ours), (2, try Sample.offer(2, origin: .node))] {
                let payment = OfferedPayment(offer: offer.offer.id, invoice: nil)
                let settlement = try Sample.settlement(number, cursor: "\(number)", offered: payment)
                #expect(try await ledger.record(settlement, from: .embedded) == nil)
            }
            #expect(try await ledger.cursor(of: .embedded) == SettlementCursor("2"))
            #expect(try await ledger.invoices(InvoiceQuery(now: Sample.start)).elements.isEmpty)
        },
        LedgerRule("Only an offer's maker reports its payments, even for a disabled offer or removed account") {
            ledger in
            try await ledger.put("alice")
            let maker = IssuedOffer.Maker(backend: .embedded, nodeID: try Sample.node(1))
            let offer = try await ledger.putOffer(Sample.offer(1, origin: .node, maker: maker))
            let other = try #require(BackendName("main-node"))
            let payment = OfferedPayment(offer: offer.offer.id, invoice: nil)
            #expect(try await ledger.record(try Sample.settlement(1, offered: payment), from: other) == nil)
            _ = try await ledger.disableOffer(offer.offer.id, at: Sample.start)
            _ = try await ledger.removeAccount(named: Sample.alice())
            let added = try await ledger.record(try Sample.settlement(2, offered: payment), from: .embedded)
            #expect(added?.account == offer.account)
            #expect(try await ledger.invoices(InvoiceQuery(now: Sample.start)).elements == [added])
        },
        LedgerRule("A backend stays the node that it was first, until it is forgotten together with its cursor") {
            ledger in
            let (one, other) = (try Sample.node(1), try Sample.node(2))
            let name = try #require(BackendName("main-node"))
            #expect(try await ledger.unbind(.embedded) == false)
            try await ledger.bind(.embedded, to: one)
            try await ledger.bind(.embedded, to: one)
            try await ledger.bind(name, to: other)
            await #expect(throws: LedgerFault.anotherNode(one)) { try await ledger.bind(.embedded, to: other) }
            await #expect(throws: LedgerFault.anotherNode(other)) { try await ledger.bind(name, to: one) }
            _ = try await ledger.record(try Sample.settlement(1, cursor: "7"), from: .embedded)
            #expect(try await ledger.unbind(.embedded))
            #expect(try await ledger.cursor(of: .embedded) == nil)
            try await ledger.bind(.embedded, to: other)
            await #expect(throws: LedgerFault.anotherNode(other)) { try await ledger.bind(name, to: one) }
        },
    ]
}
