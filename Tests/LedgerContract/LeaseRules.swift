import LightningCoding
import LightningCrypto
import ResponderModel
import Testing

extension Ledger {
    /// Takes or renews a lease for the instance with that number.
    fileprivate func take(_ name: LeaseName, for number: UInt8, lasting seconds: UInt64 = 3_600) async throws -> Lease?
    {
        try await lease(name, for: Sample.instance(number).id, lasting: seconds)
    }

    /// The first settlement is recorded with the cursor 7, the second is not.
    fileprivate func refusesToFollow(under lease: Lease) async throws {
        await #expect(throws: LedgerFault.leaseLost) {
            try await record(try Sample.settlement(2, cursor: "8"), from: .embedded, under: lease)
        }
        await #expect(throws: LedgerFault.leaseLost) {
            try await pass(to: SettlementCursor("8"), of: .embedded, under: lease)
        }
        await #expect(throws: LedgerFault.leaseLost) {
            try await forgetCursor(of: .embedded, under: lease)
        }
        await #expect(throws: LedgerFault.leaseLost) {
            try await noteFollowing(.embedded, at: Sample.start.adding(seconds: 9), under: lease)
        }
        #expect(try await invoice(Sample.preimage(2).paymentHash)?.settlement == nil)
        #expect(try await cursor(of: .embedded) == SettlementCursor("7"))
        #expect(
            try await followedSpan(of: .embedded)
                == FollowedSpan(since: Sample.start, until: Sample.start))
    }
}

extension LedgerRule {
    static let leases = [
        LedgerRule("One instance holds a lease; renewing keeps its epoch, and others wait") { ledger in
            let lease = try #require(try await ledger.take(.outbox, for: 1))
            #expect(lease.name == .outbox)
            for _ in 0..<2 {
                #expect(try await ledger.take(.outbox, for: 2) == nil)
                #expect(try await ledger.take(.outbox, for: 1) == lease)
            }
            #expect(try await ledger.take(.upkeep, for: 2)?.name == .upkeep)
        },
        LedgerRule("A lease that has run out is free; whoever takes or renews it gets a greater epoch") { ledger in
            let first = try #require(try await ledger.take(.onion, for: 1, lasting: 0))
            let second = try #require(try await ledger.take(.onion, for: 2, lasting: 0))
            let third = try #require(try await ledger.take(.onion, for: 2))
            #expect(first.epoch < second.epoch && second.epoch < third.epoch)
            #expect(try await ledger.take(.onion, for: 2) == third)
            #expect(try await ledger.take(.onion, for: 1) == nil)
        },
        LedgerRule("A lease that is given back is free at once; one that was lost cannot be given back") { ledger in
            let first = try #require(try await ledger.take(.upkeep, for: 1))
            try await ledger.release(first)
            let second = try #require(try await ledger.take(.upkeep, for: 2))
            #expect(second.epoch > first.epoch)
            try await ledger.release(first)
            #expect(try await ledger.take(.upkeep, for: 1) == nil)
            #expect(try await ledger.take(.upkeep, for: 2) == second)
        },
        LedgerRule("Of eight instances that want a lease at once, one gets it, also when it has run out") { ledger in
            var epochs: [UInt64] = []
            for seconds in [UInt64(3_600), 0, 3_600] {
                let name = LeaseName.following(.embedded)
                if seconds == 0 { _ = try await ledger.take(name, for: 9, lasting: 0) }
                let taken = try await withThrowingTaskGroup(of: Lease?.self, returning: [Lease].self) { group in
                    for number in UInt8(1)...8 { group.addTask { try await ledger.take(name, for: number) } }
                    return try await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
                }
                #expect(taken.count == 1)
                for lease in taken {
                    #expect(lease.epoch > epochs.last ?? 0)
                    epochs.append(lease.epoch)
                    try await ledger.release(lease)
                }
            }
        },
        LedgerRule("Under a lease that was taken over or given back, no settlement is recorded and no cursor moves") {
            ledger in
            try await ledger.put("alice")
            for number in UInt64(1)...2 { try await ledger.record(try Sample.invoice(number), using: nil) }
            let name = LeaseName.following(.embedded)
            let stale = try #require(try await ledger.take(name, for: 1, lasting: 0))
            // Nobody else has it yet.
            _ = try await ledger.record(try Sample.settlement(1, cursor: "7"), from: .embedded, under: stale)
            let current = try #require(try await ledger.take(name, for: 2))
            try await ledger.noteFollowing(.embedded, at: Sample.start, under: current)
            try await ledger.refusesToFollow(under: stale)
            let other = try #require(BackendName("other"))
            try await ledger.refusesToFollow(under: Lease(name: .following(other), epoch: current.epoch))
            try await ledger.release(current)
            try await ledger.refusesToFollow(under: current)
            // A payment that was asked for by its hash needs no lease.
            let settlement = RecordedSettlement(
                settledAt: Sample.start, received: Millisatoshi(1), preimage: try Sample.preimage(2))
            #expect(try await ledger.record(settlement, of: Sample.preimage(2).paymentHash, from: .embedded) != nil)
        },
        LedgerRule("Under a lease that was taken over, nothing is claimed and nothing is deleted") { ledger in
            try await ledger.put("alice")
            try await ledger.record(try Sample.invoice(1), using: .challenge(Sample.challenge(1)))
            try await ledger.record(try Sample.event(1))
            try await ledger.add(Sample.work(1), heldBy: nil)
            let end = Sample.start.adding(seconds: 10_000)
            let outbox = try #require(try await ledger.take(.outbox, for: 1, lasting: 0))
            let upkeep = try #require(try await ledger.take(.upkeep, for: 1, lasting: 0))
            for name in [LeaseName.outbox, .upkeep] { #expect(try await ledger.take(name, for: 2) != nil) }
            await #expect(throws: LedgerFault.leaseLost) {
                try await ledger.claim(.notification, limit: 9, for: "one", at: end, until: end, under: outbox)
            }
            #expect(try await ledger.work(Sample.work(1).id) == Sample.work(1))
            await #expect(throws: LedgerFault.leaseLost) {
                try await ledger.forgetParked(.notification, limit: 9, at: end, under: outbox)
            }
            await #expect(throws: LedgerFault.leaseLost) { try await ledger.prune(before: end, under: upkeep) }
            #expect(try await ledger.isUsed(Sample.challenge(1)))
            await #expect(throws: LedgerFault.leaseLost) {
                try await ledger.pruneEvents(before: end, keeping: 0, under: upkeep)
            }
            #expect(try await ledger.events(EventQuery()).elements.count == 1)
            let hash = try Sample.preimage(1).paymentHash
            await #expect(throws: LedgerFault.leaseLost) {
                try await ledger.forgetExpired([hash], issuedIn: UnixTime(0)...end, before: end, under: upkeep)
            }
            #expect(try await ledger.invoice(hash) != nil)
            // A command beside the service has no lease.
            #expect(
                try await ledger.claim(.notification, limit: 9, for: "two", at: end, until: end, under: nil).work.count
                    == 1)
        },
    ]

    static let instances = [
        LedgerRule("Instances are listed with what they tell and hold, until they end") { ledger in
            #expect(try await ledger.instances() == [])
            for number in [UInt8(2), 1] {
                try await ledger.register(try Sample.instance(number), isAlone: false)
            }
            for name in [LeaseName.upkeep, .following(.embedded)] { _ = try await ledger.take(name, for: 2) }
            _ = try await ledger.take(.onion, for: 1)
            var shown = try await ledger.instances()
            #expect(shown.map(\.record) == [try Sample.instance(1), try Sample.instance(2)])
            #expect(shown.map { Set($0.leases) } == [[.onion], [.upkeep, .following(.embedded)]])
            #expect(shown.allSatisfy { $0.seenAt > UnixTime(0) })
            try await ledger.unregister(Sample.instance(2).id)
            shown = try await ledger.instances()
            #expect(shown.map(\.record.id) == [try Sample.instance(1).id])
            #expect(try await ledger.take(.upkeep, for: 1) != nil)
            #expect(try await ledger.take(.following(.embedded), for: 1) != nil)
        },
        LedgerRule("A lease that has run out is held by nobody") { ledger in
            try await ledger.register(try Sample.instance(1), isAlone: false)
            _ = try await ledger.take(.onion, for: 1, lasting: 0)
            #expect(try await ledger.instances().map(\.leases) == [[]])
        },
        LedgerRule("A heartbeat counts the instances, tells what has changed, and enters one that was forgotten") {
            ledger in
            var first = try Sample.instance(1)
            try await ledger.register(first, isAlone: false)
            #expect(try await ledger.heartbeat(of: first, forgettingAfter: 3_600) == 1)
            #expect(try await ledger.heartbeat(of: Sample.instance(2), forgettingAfter: 3_600) == 2)
            first.payers = ListenAddress(host: "127.0.0.1", port: 1)
            #expect(try await ledger.heartbeat(of: first, forgettingAfter: 3_600) == 2)
            #expect(try await ledger.instances().first?.record == first)
        },
        LedgerRule("A heartbeat that is to forget nobody leaves those who are silent, and what they hold") { ledger in
            for number in UInt8(1)...2 { try await ledger.register(try Sample.instance(number), isAlone: false) }
            _ = try await ledger.take(.outbox, for: 1)
            #expect(try await ledger.heartbeat(of: Sample.instance(2), forgettingAfter: nil) == 2)
            #expect(try await ledger.take(.outbox, for: 2) == nil)
            #expect(try await ledger.heartbeat(of: Sample.instance(2), forgettingAfter: 0) == 1)
        },
        LedgerRule("What an instance held that is not heard of any more is free, and its claimed work is due") {
            ledger in
            try await ledger.put("alice")
            for number in UInt8(1)...2 { try await ledger.register(try Sample.instance(number), isAlone: false) }
            _ = try await ledger.take(.outbox, for: 1)
            for number in UInt64(51)...52 {
                try await ledger.add(Sample.work(number), heldBy: Sample.instance(UInt8(number - 50)).id.text)
            }
            #expect(try await ledger.heartbeat(of: Sample.instance(2), forgettingAfter: 0) == 1)
            #expect(try await ledger.instances().map(\.record.id) == [try Sample.instance(2).id])
            #expect(try await ledger.take(.outbox, for: 2) != nil)
            let now = Sample.start
            let due = try await ledger.claim(.notification, limit: 9, for: "two", at: now, until: now, under: nil)
            #expect(due.work.map(\.id) == [try Sample.work(51).id])
        },
        LedgerRule(
            "Work claimed by an instance that ends is due at once and uncounted if it says so, else stays claimed"
        ) {
            ledger in
            try await ledger.put("alice")
            try await ledger.add(Sample.work(1), heldBy: nil)
            let now = Sample.start.adding(seconds: 1)
            func claim(_ number: UInt8, after seconds: UInt64 = 0) async throws -> UInt64? {
                try await ledger.register(try Sample.instance(number), isAlone: false)
                let claim = try await ledger.claim(
                    .notification, limit: 1, for: Sample.instance(number).id.text, at: now.adding(seconds: seconds),
                    until: now.adding(seconds: seconds + 60), under: nil)
                return claim.work.first?.attempts
            }
            #expect(try await claim(1) == 1)
            try await ledger.unregister(Sample.instance(1).id)
            #expect(try await claim(2) == 1)
            _ = try await ledger.heartbeat(of: Sample.instance(3), forgettingAfter: 0)
            #expect(try await claim(3) == nil)
            #expect(try await claim(3, after: 60) == 2)
            try await ledger.register(try Sample.instance(4), isAlone: true)
            #expect(try await claim(4, after: 60) == nil)
            #expect(try await ledger.work(Sample.work(1).id)?.attempts == 2)
        },
        LedgerRule("An instance that is alone frees what earlier ones held, and its keys count") { ledger in
            try await ledger.put("alice")
            try await ledger.register(try Sample.instance(1), isAlone: true)
            _ = try await ledger.take(.upkeep, for: 1)
            try await ledger.add(Sample.work(51), heldBy: Sample.instance(1).id.text)
            try await ledger.register(try Sample.instance(2, keys: 2), isAlone: true)
            #expect(try await ledger.instances().map(\.record) == [try Sample.instance(2, keys: 2)])
            #expect(try await ledger.take(.upkeep, for: 2) != nil)
            let now = Sample.start
            let due = try await ledger.claim(.notification, limit: 9, for: "two", at: now, until: now, under: nil)
            #expect(due.work.map(\.id) == [try Sample.work(51).id])
            try await ledger.register(try Sample.instance(3, keys: 2), isAlone: false)
        },
        LedgerRule("An instance with other keys than earlier ones is refused, until those are forgotten on purpose") {
            ledger in
            try await ledger.register(try Sample.instance(1), isAlone: false)
            try await ledger.register(try Sample.instance(2), isAlone: false)
            for number in UInt8(1)...2 { try await ledger.unregister(Sample.instance(number).id) }
            await #expect(throws: LedgerFault.otherKeys) {
                try await ledger.register(try Sample.instance(3, keys: 2), isAlone: false)
            }
            #expect(try await ledger.instances() == [])
            try await ledger.forgetKeys()
            try await ledger.register(try Sample.instance(3, keys: 2), isAlone: false)
            await #expect(throws: LedgerFault.otherKeys) {
                try await ledger.register(try Sample.instance(1), isAlone: false)
            }
        },
        LedgerRule("Of eight instances with different keys that start at once, one is welcome") { ledger in
            let welcome = try await withThrowingTaskGroup(of: Bool.self, returning: Int.self) { group in
                for number in UInt8(1)...8 {
                    group.addTask {
                        let instance = try Sample.instance(number, keys: number)
                        do {
                            try await ledger.register(instance, isAlone: false)
                            return true
                        } catch LedgerFault.otherKeys {
                            return false
                        }
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(welcome == 1)
        },
        LedgerRule("A count that instances share gives its burst and then one per interval, whoever asks") { ledger in
            guard let rates = ledger.sharedRates else { return }
            let taken = try await withThrowingTaskGroup(of: Bool.self, returning: Int.self) { group in
                for _ in 0..<20 {
                    group.addTask { try await rates.take([1], every: .seconds(3_600), burst: 10) == nil }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(taken == 10)
            let wait = try #require(try await rates.take([1], every: .seconds(3_600), burst: 10))
            #expect(wait > .zero && wait <= .seconds(3_600))
            #expect(try await rates.take([2], every: .seconds(3_600), burst: 10) == nil)
            try await rates.putBack([1], every: .seconds(3_600))
            #expect(try await rates.take([1], every: .seconds(3_600), burst: 10) == nil)
            #expect(try await rates.take([1], every: .seconds(3_600), burst: 10) != nil)
            #expect(try await rates.take([3], every: .nanoseconds(1), burst: 1) == nil)
        },
    ]
}
