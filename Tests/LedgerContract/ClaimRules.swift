import LightningCoding
import ResponderModel
import Testing

/// A job whose work is `Sample.work`.
private struct SampleJob: OutboxJob {
    static let kind = OutboxKind.notification
    let id: OutboxID
    let payload: [UInt8]

    init?(_ work: OutboxWork) { (id, payload) = (work.id, [1]) }
}

/// How claims end otherwise than by the work itself.
extension LedgerRule {
    static let claims = [
        LedgerRule(
            "Claims that nobody has in hand are freed under the lease; what was added with a holder stays theirs"
        ) {
            ledger in
            try await ledger.put("alice")
            for number in UInt64(1)...3 { try await ledger.add(Sample.work(number), heldBy: nil) }
            try await ledger.add(Sample.work(4), heldBy: "two")
            try await ledger.add(Sample.work(5, kind: OutboxKind(rawValue: "other")), heldBy: nil)
            _ = try await ledger.take(OutboxKind(rawValue: "other"), at: 5, for: "two")
            let claimed = try await ledger.take(at: 3, for: "two")
            #expect(claimed.count == 3)
            let parked = try #require(claimed.last)
            try await ledger.park(parked, at: Sample.start, because: "410")
            let lost = try #require(try await ledger.lease(.outbox, for: Sample.instance(1).id, lasting: 0))
            let lease = try #require(try await ledger.lease(.outbox, for: Sample.instance(2).id, lasting: 3_600))
            func free(_ lease: Lease) async throws(LedgerFault) {
                let taken = OutboxID(unchecked: "work-1")
                try await ledger.freeClaims(of: .notification, for: "three", except: [taken], under: lease) { _ in
                    Sample.start.adding(seconds: 3)
                }
            }
            await #expect(throws: LedgerFault.leaseLost) {
                try await free(lost)
            }
            try await free(lease)
            let now = Sample.start.adding(seconds: 3)
            let again = try await ledger.claim(
                .notification, limit: 9, for: "three", at: now, until: now, under: lease)
            #expect(again.work.map(\.id.text) == ["work-2"])
            #expect(again.work.map(\.attempts) == [2])
            #expect(try await ledger.work(parked.id)?.isParked == true)
            #expect(try await ledger.work(Sample.work(4).id)?.holder == "two")
        },
        LedgerRule(
            "A freed attempt of another holder counts, and the next follows after a pause; one that was never begun does not"
        ) { ledger in
            try await ledger.put("alice")
            for number in UInt64(1)...2 { try await ledger.add(Sample.work(number), heldBy: nil) }
            #expect(try await ledger.take(at: 1, for: "crashed").map(\.id.text) == ["work-1"])
            #expect(try await ledger.take(at: 2, for: "three").map(\.id.text) == ["work-2"])
            try await ledger.freeClaims(
                of: .notification, for: "three", except: [], under: ledger.held(.outbox)
            ) { Sample.start.adding(seconds: 60 * $0.attempts) }
            let states = try await ledger.outbox(OutboxQuery()).elements.map { ($0.attempts, $0.state, $0.holder) }
            #expect(states.map(\.0) == [0, 1] && states.allSatisfy { $0.2 == nil })
            #expect(
                states.map(\.1) == [
                    .pending(dueAt: Sample.start), .pending(dueAt: Sample.start.adding(seconds: 60)),
                ])
        },
        LedgerRule("Work of a time in the future, by the node's clock, is due no later once its claim is freed") {
            ledger in
            try await ledger.put("alice")
            let sample = try Sample.work(1)
            let work = OutboxWork(
                id: sample.id, kind: sample.kind, account: sample.account, payload: sample.payload,
                createdAt: Sample.start.adding(seconds: 86_400), state: sample.state)
            try await ledger.add(work, heldBy: nil)
            #expect(try await ledger.take(at: 1, for: "three").count == 1)
            try await ledger.freeClaims(
                of: .notification, for: "three", except: [], under: ledger.held(.outbox)
            ) { _ in Sample.start }
            #expect(try await ledger.take(at: 11, for: "three").count == 1)
        },
        LedgerRule("While nothing is due a claim writes nothing, and so needs no lease") { ledger in
            try await ledger.put("alice")
            try await ledger.add(Sample.work(5), heldBy: nil)
            let lost = try #require(try await ledger.lease(.outbox, for: Sample.instance(1).id, lasting: 0))
            _ = try #require(try await ledger.lease(.outbox, for: Sample.instance(2).id, lasting: 3_600))
            func claim(at seconds: UInt64) async throws(LedgerFault) -> OutboxClaim {
                let now = Sample.start.adding(seconds: seconds)
                return try await ledger.claim(
                    .notification, limit: 9, for: "three", at: now, until: now, under: lost)
            }
            #expect(try await claim(at: 4) == OutboxClaim(work: [], nextDue: Sample.start.adding(seconds: 5)))
            await #expect(throws: LedgerFault.leaseLost) { try await claim(at: 5) }
        },
        LedgerRule("An update changes what is to be done and ends the claim, unless the work was changed meanwhile") {
            ledger in
            try await ledger.put("alice")
            let added = try Sample.work(1)
            try await ledger.add(added, heldBy: nil)
            let job = try #require(SampleJob(added))
            let read = try #require(try await ledger.work(added.id))
            let claimed = try #require(try await ledger.take(at: 1).first)
            let later = Sample.start.adding(seconds: 5)
            #expect(try await !ledger.update(read, to: job, dueAt: later))
            #expect(try await ledger.work(added.id) == claimed)
            #expect(try await ledger.update(claimed, to: job, dueAt: later))
            try await ledger.park(claimed, at: later, because: "stale")
            let kept = try #require(try await ledger.work(added.id))
            #expect(kept.payload == [1] && kept.state == .pending(dueAt: later) && kept.holder == nil)
            #expect(try await !ledger.update(claimed, to: job, dueAt: later))
        },
    ]
}
