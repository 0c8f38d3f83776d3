import LightningCoding
import LightningCrypto
package import ResponderModel
import Testing

extension Sample {
    /// Work with that number, due `number` seconds after the start.
    package static func work(
        _ number: UInt64, kind: OutboxKind = .notification, heldBy holder: String? = nil
    ) throws -> OutboxWork {
        try work(number, kind: kind, of: alice(), heldBy: holder)
    }

    /// The same of any account, or of none.
    package static func work(
        _ number: UInt64, kind: OutboxKind = .notification, of account: AccountID?, heldBy holder: String? = nil,
        about subject: OutboxSubject? = nil
    ) throws -> OutboxWork {
        OutboxWork(
            id: try #require(OutboxID("work-\(number)")), kind: kind, account: account,
            payload: Array("{\"number\":\(number)}".utf8), createdAt: start, deadline: start.adding(seconds: 100),
            state: .pending(dueAt: start.adding(seconds: number)), holder: holder, subject: subject)
    }
}

extension Ledger {
    /// Ends an instance.
    fileprivate func end(_ holder: String) async throws {
        try await unregister(#require(InstanceID(holder)))
    }
}

extension Ledger {
    /// Claims work `seconds` after the start, for ten seconds.
    package func take(
        _ kind: OutboxKind = .notification, at seconds: UInt64, limit: Int = 10, for holder: String = "one"
    ) async throws -> [OutboxWork] {
        let now = Sample.start.adding(seconds: seconds)
        return try await claim(kind, limit: limit, for: holder, at: now, until: now.adding(seconds: 10)).work
    }
}

extension Ledger {
    /// When the next work is due, `seconds` after the start; what is due then is claimed for ten seconds.
    fileprivate func nextDue(_ seconds: UInt64) async throws -> UnixTime? {
        let now = Sample.start.adding(seconds: seconds)
        return try await claim(.notification, limit: 10, for: "one", at: now, until: now.adding(seconds: 10)).nextDue
    }
}

extension LedgerRule {
    static let outbox =
        [
            LedgerRule("Work is taken once it is due, the longest due first, and by one only until the claim runs out")
            {
                ledger in
                try await ledger.put("alice")
                for number in [3, 1, 2, 50] { try await ledger.add(Sample.work(UInt64(number)), heldBy: nil) }
                try await ledger.add(Sample.work(4, kind: OutboxKind(rawValue: "other")), heldBy: nil)
                #expect(try await ledger.take(at: 0).isEmpty)
                let taken = try await ledger.take(at: 3, limit: 2)
                #expect(taken.map(\.id.text) == ["work-1", "work-2"])
                #expect(taken.map(\.attempts) == [1, 1])
                #expect(taken.map(\.payload) == [try Sample.work(1).payload, try Sample.work(2).payload])
                #expect(
                    taken.map(\.deadline) == [Sample.start.adding(seconds: 100), Sample.start.adding(seconds: 100)])
                #expect(try await ledger.take(at: 3, for: "two").map(\.id.text) == ["work-3"])
                #expect(try await ledger.take(at: 12).isEmpty)
                let again = try await ledger.take(at: 13, for: "two")
                #expect(again.map(\.id.text) == ["work-3", "work-1", "work-2"])
                #expect(again.map(\.attempts) == [2, 2, 2])
            },
            LedgerRule("A claim says when the next work of that kind is due") { ledger in
                try await ledger.put("alice")
                let start = Sample.start
                #expect(try await ledger.nextDue(0) == nil)
                try await ledger.add(Sample.work(5), heldBy: nil)
                try await ledger.add(Sample.work(90), heldBy: nil)
                #expect(try await ledger.nextDue(0) == start.adding(seconds: 5))
                #expect(try await ledger.nextDue(5) == start.adding(seconds: 15))
                try await ledger.remove(Sample.work(5).id)
                #expect(try await ledger.nextDue(20) == start.adding(seconds: 90))
            },
            LedgerRule("Work of an id that is there is not added again; work that is held is not taken before its time")
            {
                ledger in
                try await ledger.put("alice")
                try await ledger.add(Sample.work(1), heldBy: "one")
                try await ledger.add(Sample.work(1, kind: OutboxKind(rawValue: "other")), heldBy: nil)
                #expect(try await ledger.work(Sample.work(1).id) == Sample.work(1, heldBy: "one"))
                #expect(try await ledger.outbox(OutboxQuery()).elements == [Sample.work(1, heldBy: "one")])
                #expect(try await ledger.take(at: 0, for: "one").isEmpty)
                #expect(try await ledger.take(at: 1, for: "two").count == 1)
            },
            LedgerRule("Work of no account is kept like other work, and takes turns with accounts as if it were one's")
            {
                ledger in
                try await ledger.put("alice")
                for number in UInt64(1)...3 { try await ledger.add(Sample.work(number), heldBy: nil) }
                for number in UInt64(4)...6 { try await ledger.add(Sample.work(number, of: nil), heldBy: nil) }
                #expect(try await ledger.work(Sample.work(4).id) == Sample.work(4, of: nil))
                #expect(try await ledger.add(Sample.work(7, kind: .push, of: nil), upTo: 1))
                #expect(try await ledger.outbox(OutboxQuery(kind: .push)).elements.map(\.account) == [nil])
                let ofAlice = try await ledger.outbox(OutboxQuery(account: Sample.alice())).elements
                #expect(ofAlice.map(\.id.text) == ["work-3", "work-2", "work-1"])
                #expect(try await ledger.totals().pending == [.notification: 6, .push: 1])
                let taken = try await ledger.take(at: 9, limit: 4)
                #expect(taken.map(\.id.text) == ["work-1", "work-4", "work-2", "work-5"])
                let first = try #require(taken.first { $0.account == nil })
                try await ledger.postpone(first, until: Sample.start.adding(seconds: 10), because: "no answer")
                #expect(try await ledger.take(at: 10, limit: 1).map(\.id.text) == ["work-6"])
                try await ledger.end("one")
                try await ledger.remove(first.id)
                #expect(try await ledger.work(first.id) == nil)
            },
            LedgerRule("Work of an account that never existed is refused") { ledger in
                try await ledger.put("alice")
                await #expect(throws: LedgerFault.self) {
                    try await ledger.add(Sample.work(1, of: Sample.account("nobody")), heldBy: nil)
                }
                #expect(try await ledger.outbox(OutboxQuery()).elements.isEmpty)
            },
            LedgerRule(
                "Bounded work is added while less about its subject is pending; what is parked or of others does not count"
            ) {
                ledger in
                try await ledger.put("alice")
                let kind = OutboxKind.invoiceMismatch
                func bounded(_ number: UInt64) throws -> OutboxWork {
                    try Sample.work(number, kind: kind, of: Sample.alice(), about: OutboxSubject("node"))
                }
                for work in [try Sample.work(9), try Sample.work(8, of: nil, about: OutboxSubject("node"))] {
                    try await ledger.add(work, heldBy: nil)
                }
                var added: [Bool] = []
                for number in [1, 1, 2, 3, 4] as [UInt64] {
                    added.append(try await ledger.add(bounded(number), upTo: 2))
                }
                #expect(added == [true, false, true, false, false])
                #expect(
                    try await ledger.outbox(OutboxQuery(kind: kind)).elements.map(\.id.text) == ["work-2", "work-1"])
                let taken = try #require(try await ledger.take(kind, at: 1).first)
                try await ledger.park(taken, at: Sample.start, because: "gone")
                #expect(try await !ledger.add(bounded(2), upTo: 2))
                #expect(try await ledger.add(bounded(3), upTo: 2))
                #expect(try await ledger.totals().pending[kind] == 2)
                // Those of another node, whose name begins alike.
                for name in ["a", "a-b"] {
                    let hash = try PaymentHash(SHA256.hash(Array(name.utf8)))
                    let mismatch = InvoiceMismatch(
                        backend: try #require(BackendName(name)), paymentHash: hash, cause: "its amount differs",
                        account: try Sample.alice())
                    let work = OutboxWork(mismatch, at: Sample.start)
                    #expect(try await ledger.add(work, upTo: 1))
                }
            },
            LedgerRule("The claimed work of an instance that ends is due at once, in order, and nobody else's") {
                ledger in
                try await ledger.put("alice")
                for number in UInt64(1)...3 {
                    try await ledger.add(Sample.work(number + 50), heldBy: number == 2 ? "two" : "one")
                }
                for _ in 0..<2 { try await ledger.end("one") }
                #expect(try await ledger.take(at: 7).map(\.id.text) == ["work-51", "work-53"])
            },
            LedgerRule("An attempt that a restart interrupted does not count; one that failed does") { ledger in
                try await ledger.put("alice")
                try await ledger.add(Sample.work(1), heldBy: nil)
                for _ in 0..<20 {
                    #expect(try await ledger.take(at: 1).map(\.attempts) == [1])
                    try await ledger.end("one")
                }
                let first = try #require(try await ledger.take(at: 1).first)
                try await ledger.postpone(first, until: Sample.start.adding(seconds: 2), because: "no answer")
                #expect(try await ledger.take(at: 2).map(\.attempts) == [2])
                try await ledger.end("one")
                #expect(try await ledger.work(first.id)?.attempts == 1)
                try await ledger.add(Sample.work(2), heldBy: "one")
                try await ledger.end("one")
                #expect(try await ledger.work(Sample.work(2).id)?.attempts == 0)
            },
            LedgerRule("An attempt that only found its work not due yet does not count, and its claim is over") {
                ledger in
                try await ledger.put("alice")
                try await ledger.add(Sample.work(1), heldBy: nil)
                let stale = try #require(try await ledger.take(at: 1).first)
                for second in UInt64(11)...30 {
                    let taken = try #require(try await ledger.take(at: second, for: "two").first)
                    #expect(taken.attempts == 2)
                    try await ledger.reschedule(
                        taken, until: Sample.start.adding(seconds: second + 1), because: "not yet")
                    try await ledger.reschedule(stale, until: Sample.start, because: "stale")
                    let kept = try #require(try await ledger.work(taken.id))
                    #expect(kept.attempts == 1 && kept.holder == nil && kept.failure == "not yet")
                    #expect(kept.state == .pending(dueAt: Sample.start.adding(seconds: second + 1)))
                }
            },
            LedgerRule("Parked work whose deadline has come is removed, so much of its kind at once; other work is not")
            {
                ledger in
                try await ledger.put("alice")
                let other = OutboxKind(rawValue: "other")
                for number in UInt64(1)...4 { try await ledger.add(Sample.work(number), heldBy: nil) }
                try await ledger.add(Sample.work(5, kind: other), heldBy: nil)
                for work in try await ledger.take(at: 3) + ledger.take(other, at: 5) {
                    try await ledger.park(work, at: Sample.start, because: "gone")
                }
                func forget(_ limit: Int, at seconds: UInt64) async throws -> Int {
                    try await ledger.forgetParked(
                        .notification, limit: limit, at: Sample.start.adding(seconds: seconds), under: nil)
                }
                #expect(try await forget(9, at: 99) == 0)
                #expect(try await ledger.retry(Sample.work(3).id, at: Sample.start))
                #expect(try await forget(1, at: 100) == 1)
                #expect(try await forget(9, at: 100) == 1)
                #expect(
                    try await ledger.outbox(OutboxQuery()).elements.map(\.id.text) == ["work-5", "work-4", "work-3"])
            },
            LedgerRule("Work is counted by its subject and those above it, whether it is parked or not, up to a bound")
            {
                ledger in
                try await ledger.put("alice")
                for number in UInt64(1)...12 {
                    let subject = OutboxSubject("web", number < 10 ? "a" : "a.b", "\(number)")
                    try await ledger.add(Sample.work(number, of: nil, about: subject), heldBy: nil)
                }
                try await ledger.add(Sample.work(13), heldBy: nil)
                try await ledger.park(
                    #require(try await ledger.take(at: 1).first), at: Sample.start, because: "gone")
                let subjects: [(OutboxSubject, count: Int)] = [
                    (OutboxSubject("web"), 12), (OutboxSubject("web", "a"), 9), (OutboxSubject("web", "a.b"), 3),
                    (OutboxSubject("web", "a", "1"), 1), (OutboxSubject("web", "b"), 0), (OutboxSubject("we"), 0),
                    (OutboxSubject("webs"), 0),
                ]
                for (subject, count) in subjects {
                    #expect(
                        try await ledger.count(.notification, about: subject, upTo: 100) == count, "\(subject.text)")
                }
                #expect(try await ledger.count(.notification, about: OutboxSubject("web"), upTo: 3) == 3)
                #expect(try await ledger.count(.push, about: OutboxSubject("web"), upTo: 100) == 0)
                #expect(try await ledger.work(Sample.work(12).id)?.subject == OutboxSubject("web", "a.b", "12"))
            },
            LedgerRule("Failed work is postponed with its reason, and parked work is not claimed") { ledger in
                try await ledger.put("alice")
                try await ledger.add(Sample.work(1), heldBy: nil)
                let first = try #require(try await ledger.take(at: 1).first)
                try await ledger.postpone(first, until: Sample.start.adding(seconds: 60), because: "no answer")
                var kept = try #require(try await ledger.work(first.id))
                #expect(kept.state == .pending(dueAt: Sample.start.adding(seconds: 60)))
                #expect(kept.attempts == 1 && kept.failure == "no answer")
                #expect(try await ledger.take(at: 59).isEmpty)
                let second = try #require(try await ledger.take(at: 60).first)
                #expect(second.attempts == 2)
                try await ledger.park(second, at: Sample.start.adding(seconds: 61), because: "gone")
                kept = try #require(try await ledger.work(first.id))
                #expect(kept.state == .parked(at: Sample.start.adding(seconds: 61)))
                #expect(kept.failure == "gone")
                #expect(try await ledger.take(at: 10_000).isEmpty)
                try await ledger.end("one")
                #expect(try await ledger.take(at: 10_000).isEmpty)
            },
            LedgerRule("An expired claim cannot change work that was claimed again since") { ledger in
                try await ledger.put("alice")
                try await ledger.add(Sample.work(1), heldBy: nil)
                let stale = try #require(try await ledger.take(at: 1).first)
                let fresh = try #require(try await ledger.take(at: 11, for: "two").first)
                try await ledger.park(stale, at: Sample.start, because: "stale")
                try await ledger.postpone(stale, until: Sample.start, because: "stale")
                #expect(try await ledger.work(stale.id)?.state == .pending(dueAt: Sample.start.adding(seconds: 21)))
                #expect(try await ledger.work(stale.id)?.failure == nil)
                try await ledger.remove(fresh.id)
                try await ledger.postpone(fresh, until: Sample.start, because: "removed")
                #expect(try await ledger.work(stale.id) == nil)
            },
            LedgerRule("An instance that was forgotten and comes back cannot change what another one claimed since") {
                ledger in
                try await ledger.put("alice")
                try await ledger.add(Sample.work(1), heldBy: nil)
                let stale = try #require(try await ledger.take(at: 1).first)
                try await ledger.end("one")
                let fresh = try #require(try await ledger.take(at: 2, for: "two").first)
                #expect(stale.attempts == fresh.attempts && stale.holder == "one" && fresh.holder == "two")
                try await ledger.postpone(stale, until: Sample.start.adding(seconds: 3), because: "stale")
                try await ledger.park(stale, at: Sample.start, because: "stale")
                #expect(try await ledger.work(fresh.id) == fresh)
                try await ledger.postpone(fresh, until: Sample.start.adding(seconds: 5), because: "no answer")
                let kept = try #require(try await ledger.work(fresh.id))
                #expect(kept.state == .pending(dueAt: Sample.start.adding(seconds: 5)) && kept.holder == nil)
            },
            LedgerRule("Work can be retried by hand, parked or not, with its attempts reset") { ledger in
                try await ledger.put("alice")
                try await ledger.add(Sample.work(1), heldBy: nil)
                let taken = try #require(try await ledger.take(at: 1).first)
                try await ledger.park(taken, at: Sample.start, because: "gone")
                #expect(try await ledger.retry(taken.id, at: Sample.start.adding(seconds: 70)))
                let kept = try #require(try await ledger.work(taken.id))
                #expect(!kept.isParked && kept.attempts == 0 && kept.failure == "gone")
                #expect(try await ledger.take(at: 70).first?.attempts == 1)
                #expect(try await !ledger.retry(Sample.work(2).id, at: Sample.start))
            },
            LedgerRule("Work in hand is not handed out again because it is retried by hand") { ledger in
                try await ledger.put("alice")
                try await ledger.add(Sample.work(1), heldBy: nil)
                let taken = try #require(try await ledger.take(at: 1).first)
                #expect(try await ledger.retry(taken.id, at: Sample.start.adding(seconds: 2)))
                #expect(try await ledger.take(at: 3).isEmpty)
                #expect(try await ledger.work(taken.id)?.attempts == 1)
            },
            LedgerRule("Work is listed newest first, in pages, by account, kind and whether it is parked, and counted")
            {
                ledger in
                try await ledger.put("alice")
                let other = OutboxKind(rawValue: "other")
                for number in UInt64(1)...4 {
                    try await ledger.add(Sample.work(number, kind: number == 4 ? other : .notification), heldBy: nil)
                }
                let taken = try #require(try await ledger.take(at: 1).first)
                try await ledger.park(taken, at: Sample.start, because: "gone")
                func ids(_ query: OutboxQuery) async throws -> [String] {
                    try await ledger.outbox(query).elements.map(\.id.text)
                }
                let page = try await ledger.outbox(OutboxQuery(limit: 3))
                #expect(page.elements.map(\.id.text) == ["work-4", "work-3", "work-2"])
                #expect(try await ids(OutboxQuery(after: page.next, limit: 3)) == ["work-1"])
                #expect(try await ids(OutboxQuery(kind: other)) == ["work-4"])
                #expect(try await ids(OutboxQuery(isParked: true)) == ["work-1"])
                #expect(try await ids(OutboxQuery(isParked: false, limit: 1)) == ["work-4"])
                #expect(try await ids(OutboxQuery(account: Sample.account("bob"))).isEmpty)
                let totals = try await ledger.totals()
                #expect(totals.pending == [.notification: 2, other: 1])
                #expect(totals.parked == [.notification: 1])
            },
            LedgerRule("The record of an accepted notification and the end of its work are written together, and once")
            {
                ledger in
                try await ledger.put("alice")
                try await ledger.add(Sample.work(1), heldBy: "one")
                try await ledger.record(Sample.event(1), finishing: Sample.work(1).id)
                #expect(try await ledger.events(EventQuery()).elements == [Sample.event(1)])
                #expect(try await ledger.work(Sample.work(1).id) == nil)
                try await ledger.record(Sample.event(2), finishing: Sample.work(1).id)
                #expect(try await ledger.events(EventQuery()).elements == [Sample.event(1)])
            },
        ] + claims + followUps
}
