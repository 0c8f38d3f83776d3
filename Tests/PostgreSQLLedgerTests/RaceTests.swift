import LedgerRecords
import Bolt12
import LNURL
import LedgerContract
import LightningCoding
import LightningCrypto
import PostgreSQLCluster
import PostgreSQLLedger
import ResponderModel
import Testing

@Suite(
    "Eight instances at once on one ledger", .timeLimit(.minutes(5)),
    .enabled(if: PostgreSQLCluster.isWanted, "\(PostgreSQLCluster.missing ?? "")"))
struct RaceTests {
    private let clients: [ServerLedger]
    private var ledger: ServerLedger { clients[0] }

    init() async throws {
        let settings = try await ServerLedger.settings()
        var clients: [ServerLedger] = []
        for _ in 0..<8 { clients.append(try await ServerLedger.open(settings, lanes: 2, timeout: .seconds(60))) }
        self.clients = clients
        try await clients[0].put("alice")
    }

    /// What each of the clients does at the same time, the third of them as often as wanted.
    private func race<Result: Sendable>(
        times: Int = 1, _ work: @escaping @Sendable (ServerLedger, UInt64) async throws -> Result
    ) async throws -> [Result] {
        try await withThrowingTaskGroup(of: Result.self) { group in
            for (index, client) in clients.enumerated() {
                for time in 0..<times {
                    let number = UInt64(1 + index * times + time)
                    group.addTask { try await work(client, number) }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Whether a call is welcome, or refused for that reason.
    private static func isWelcome(
        _ fault: LedgerFault, _ work: () async throws(LedgerFault) -> Void
    ) async throws -> Bool {
        do throws(LedgerFault) {
            try await work()
            return true
        } catch {
            guard error == fault else { throw error }
            return false
        }
    }

    @Test("The day of a first invoice is made by one, and all of them record")
    func days() async throws {
        for day in UInt64(1)...3 {
            let numbers = try await race { client, number in
                let invoice = try Sample.invoice(day * 86_400 + number)
                try await client.record(invoice, using: nil)
                return try await client.invoice(invoice.paymentHash, createdAt: invoice.createdAt) == invoice
            }
            #expect(numbers == Array(repeating: true, count: 8))
        }
    }

    @Test("A challenge that all answer is used by one")
    func challenges() async throws {
        for round in UInt64(1)...5 {
            let welcome = try await race { client, number in
                let invoice = try Sample.invoice(1_000 * round + number)
                let challenge = Sample.challenge(UInt8(round))
                return try await Self.isWelcome(.challengeUsed) { () async throws(LedgerFault) in
                    try await client.record(invoice, using: .challenge(challenge))
                }
            }
            #expect(welcome.filter { $0 }.count == 1)
        }
        #expect(try await ledger.invoices(InvoiceQuery(now: Sample.start)).elements.count == 5)
    }

    @Test("An offer that is good for one, or three, is sold to as many")
    func offers() async throws {
        for most in [UInt64(1), 3] {
            let offer = try await ledger.putOffer(Sample.offer(UInt8(most), maximumPayments: most))
            let welcome = try await race { client, number in
                let invoice = try Sample.offeredInvoice(1_000 * most + number, for: offer)
                let claim = OfferClaim(offer: offer.offer.id, request: RequestDigest(of: [UInt8(number)]))
                return try await Self.isWelcome(.offerExhausted) { () async throws(LedgerFault) in
                    try await client.record(invoice, using: .offer(claim))
                }
            }
            #expect(welcome.filter { $0 }.count == Int(most))
        }
    }

    @Test("A request that all answer has one invoice, also when an earlier one has expired")
    func requests() async throws {
        let request = RequestDigest(of: [1])
        for round in UInt64(1)...4 {
            let welcome = try await race { client, number in
                let invoice = try Sample.invoice(1_000 * round + number)
                return try await Self.isWelcome(.requestAnswered) { () async throws(LedgerFault) in
                    try await client.record(invoice, using: .request(request))
                }
            }
            #expect(welcome.filter { $0 }.count == 1)
        }
        #expect(try await ledger.invoices(InvoiceQuery(now: Sample.start)).elements.count == 4)
    }

    @Test("A payment that all report is settled by one, counted once and told once")
    func settlements() async throws {
        try await ledger.tellSettlementsOfAll(true)
        for number in UInt64(1)...5 {
            try await ledger.record(Sample.invoice(number), using: nil)
            let settled = try await race { client, _ in
                try await client.record(
                    RecordedSettlement(
                        settledAt: Sample.start, received: Millisatoshi(1), preimage: Sample.preimage(number)),
                    of: Sample.preimage(number).paymentHash, from: .embedded)
            }
            #expect(settled.filter { $0 != nil }.count == 1)
        }
        let totals = try await ledger.totals()
        #expect(totals.settlements == 5)
        #expect(totals.pending == [.settlementWebhook: 5])
    }

    @Test("Of eighty pieces of work that all claim at once each is given to one")
    func outbox() async throws {
        for number in UInt64(1)...80 { try await ledger.add(Sample.work(number), heldBy: nil) }
        let now = Sample.start.adding(seconds: 100)
        let claimed = try await race(times: 4) { client, number in
            try await client.claim(
                .notification, limit: 10, for: "holder \(number)", at: now, until: now.adding(seconds: 300), under: nil
            ).work.map(\.id)
        }
        let all = claimed.flatMap { $0 }
        #expect(Set(all).count == all.count)
        #expect(!all.isEmpty)
    }

    @Test("Bounded work is added up to its bound")
    func boundedWork() async throws {
        let added = try await race(times: 4) { client, number in
            try await client.add(
                Sample.work(number, kind: .invoiceMismatch, of: Sample.alice(), about: OutboxSubject("node")), upTo: 10)
        }
        #expect(added.filter { $0 }.count == 10)
    }

    @Test("An owner who is being given a device stays, and holds up no removal of others")
    func lockedOwner() async throws {
        let settings = try await ServerLedger.settings()
        let ledger = try await ServerLedger.open(settings, lanes: 2)
        for owner in UInt8(1)...2 { try await ledger.keep(preferences: [:], of: Sample.node(owner)) }
        let lease = try await ledger.held(.upkeep)
        let database = try await Database.open(settings, lanes: 1)
        let owner = try Sample.node(1)
        let pruned = try await database.transaction(.writing, within: .seconds(9)) { transaction throws(LedgerFault) in
            try await transaction.run([
                Query("SELECT newest FROM device_owner WHERE owner = $1 FOR UPDATE", [.blob(owner.bytes)])
            ])
            return (try? await ledger.pruneMessages(before: Sample.start, under: lease)) != nil
        }
        #expect(pruned)
        #expect(try await ledger.preferences(of: owner) != nil)
        #expect(try await ledger.preferences(of: Sample.node(2)) == nil)
        try await ledger.putDevice(1, of: 1, at: 1)
        await ledger.close()
        database.close()
    }

    @Test("An instance that is being heard of is not forgotten, and holds up nobody's sign of life")
    func heardInstance() async throws {
        let settings = try await ServerLedger.settings()
        let ledger = try await ServerLedger.open(settings, lanes: 2)
        let (one, late, lost) = (try Sample.instance(1), try Sample.instance(2), try Sample.instance(3))
        for instance in [one, late, lost] { try await ledger.register(instance, isAlone: false) }
        let lease = try #require(try await ledger.lease(.outbox, for: late.id, lasting: 3_600))
        let database = try await Database.open(settings, lanes: 1)
        let count = try await database.transaction(.writing, within: .seconds(9)) { transaction throws(LedgerFault) in
            try await transaction.run([
                Query("UPDATE instance SET seen_at = seen_at WHERE instance_id = $1", [.text(late.id.text)])
            ])
            return try? await ledger.heartbeat(of: one, forgettingAfter: 0)
        }
        #expect(count == 2)
        #expect(try await Set(ledger.instances().map(\.record.id)) == [one.id, late.id])
        #expect(try await ledger.lease(.outbox, for: late.id, lasting: 3_600) == lease)
        await ledger.close()
        database.close()
    }

    @Test("Devices are registered while their owners are removed for having none")
    func owners() async throws {
        let lease = try await ledger.held(.upkeep)
        for round in UInt8(1)...20 {
            try await ledger.keep(preferences: [:], of: Sample.node(round))
            let registered = try await race { client, number in
                guard number > 2 else {
                    _ = try await client.pruneMessages(before: Sample.start, under: lease)
                    return false
                }
                let id = round * 8 + UInt8(number)
                try await client.putDevice(id, of: round, "phone-\(number)", at: id)
                return true
            }
            #expect(registered.filter { $0 }.count == 6)
            #expect(try await ledger.devices(of: Sample.node(round)).count == 6)
        }
    }

    @Test("Accounts that all change have every version once, and the revision counts each change")
    func accounts() async throws {
        let before = try await ledger.accountsRevision()
        let versions = try await race { client, number in try await client.put("alice", "Text \(number)").version }
        #expect(versions.sorted() == Array(2...9))
        #expect(try await ledger.accountsRevision() == before + 8)
        #expect(try await ledger.check().findings == [])
    }

    @Test("Of changes of an account that all expect the same revision one is made")
    func expectedRevision() async throws {
        for round in 1...5 {
            let revision = try await ledger.accountsRevision()
            let id = try Sample.account("new\(round)")
            let outcomes = try await race { client, number in
                try await Self.isWelcome(.changedMeanwhile) { () async throws(LedgerFault) in
                    _ = try await client.putAccount(
                        named: id, settings: Sample.settings("\(number)"),
                        metadata: Sample.metadata("\(number)"), at: Sample.start, expecting: revision)
                }
            }
            #expect(outcomes.filter { $0 }.count == 1)
            #expect(try await ledger.accountsRevision() == revision + 1)
            #expect(try await ledger.account(named: id)?.version == 1)
        }
    }

    @Test("A domain is removed, or gets an account, but never both")
    func domains() async throws {
        for round in 1...5 {
            let url = try PublicURL("https://d\(round).example")
            _ = try await ledger.putDomain(at: url, DomainSettings())
            let id = AccountID(try AddressName("bob"), at: url.domain)
            let outcomes = try await race { client, number in
                guard number.isMultiple(of: 2) else {
                    return try await Self.isWelcome(.domainInUse(url.domain)) { () async throws(LedgerFault) in
                        guard try await client.removeDomain(url.domain) else { throw .domainInUse(url.domain) }
                    }
                }
                return try await Self.isWelcome(.unknownDomain(url.domain)) { () async throws(LedgerFault) in
                    _ = try await client.putAccount(
                        named: id, settings: Sample.settings(), metadata: Sample.metadata("x"), at: Sample.start)
                }
            }
            #expect(outcomes.contains(true))
            let isThere = try await ledger.domain(url.domain) != nil
            #expect(try await (ledger.account(named: id) != nil) == isThere)
        }
    }

    @Test("An alias that all want for a domain of their own is given to one")
    func aliases() async throws {
        for round in 1...5 {
            let outcomes = try await race { client, number in
                let url = try PublicURL("https://d\(round)-\(number).example")
                var settings = DomainSettings()
                settings.aliases = [try DomainName("www\(round).example")]
                return try await Self.isWelcome(.domainExists(url.domain)) { [settings] () async throws(LedgerFault) in
                    _ = try await client.putDomain(at: url, settings)
                }
            }
            #expect(outcomes.filter { $0 }.count == 1)
        }
        #expect(try await ledger.domains().filter { !$0.settings.aliases.isEmpty }.count == 5)
    }

    @Test("A host becomes a domain, or an account's own in a wildcard domain, but never both")
    func ownHosts() async throws {
        _ = try await ledger.putDomain(at: PublicURL("https://*.example.net"), DomainSettings())
        for round in 1...5 {
            let outcomes = try await race { client, number in
                try await Self.isWelcome(.hostOfAccount) { () async throws(LedgerFault) in
                    if number.isMultiple(of: 2) {
                        try await client.putHost("a\(round).example.net")
                    } else {
                        try await client.putAccount("a\(round)@*.example.net")
                    }
                }
            }
            #expect(outcomes.filter { $0 }.count == 4)
            let account = try await ledger.account(named: AccountID("a\(round)@*.example.net"))
            let domain = try await ledger.domain(DomainName("a\(round).example.net"))
            #expect((account == nil) != (domain == nil))
        }
    }

    @Test("A name that registrations and accounts all want is given to one of them")
    func names() async throws {
        for round in 1...5 {
            let name = "name\(round)"
            let outcomes = try await race { client, number in
                do {
                    if number.isMultiple(of: 2) {
                        try await client.put(name)
                    } else {
                        try await client.register(
                            // A key that gives up too many names gets no other.
                            Sample.registrant(UInt8(round) * 10 + UInt8(number)), name,
                            claim: UInt64(round) * 100 + number)
                    }
                    return number
                } catch RegistrationFault.refused(.nameTaken), LedgerFault.nameRegistered {
                    return 0
                }
            }
            let account = try await ledger.account(named: Sample.account(name))
            let registration = try await ledger.registration(named: Sample.account(name))
            #expect((account == nil) != (registration == nil))
            // All who add the account change the same one.
            #expect(registration == nil || outcomes.filter { $0 > 0 }.count == 1)
        }
    }

    @Test("A device that is removed and registered at once does not lose when its address was last woken")
    func woken() async throws {
        let wake = CatchUpState(lastWake: Sample.start.adding(seconds: 30), unanswered: 1)
        for round in 1...40 as ClosedRange<UInt8> {
            let device = try await ledger.putDevice(round, of: 1, at: round)
            #expect(try await ledger.keep(wake, of: device.id, replacing: device.catchUp))
            _ = try await race { client, number in
                switch number {
                case 1: _ = try await client.removeDevice(device.id)
                case 2: try await client.putDevice(100 + round, of: 1, at: round)
                default: break
                }
            }
            if let left = try await ledger.devices(of: Sample.node(1)).first {
                #expect(left.catchUp.lastWake == wake.lastWake)
            }
            let back = try await ledger.putDevice(200 + round, of: 1, at: round)
            #expect(back.catchUp.lastWake == wake.lastWake)
            #expect(try await ledger.removeDevice(back.id))
        }
    }

    @Test("A domain is removed, or gets a registration, but never both")
    func registeredDomains() async throws {
        for round in 1...5 {
            let url = try PublicURL("https://r\(round).example")
            _ = try await ledger.putDomain(at: url, DomainSettings())
            let outcomes = try await race { client, number in
                do {
                    if number == 1 { return try await client.removeDomain(url.domain) }
                    return try await client.register(
                        Sample.registrant(UInt8(number), at: url.domain), nil, claim: UInt64(round) * 100 + number)
                        != nil
                } catch LedgerFault.domainInUse, RegistrationFault.ledger(.unknownDomain) {
                    return false
                }
            }
            #expect(outcomes.contains(true))
            let isThere = try await ledger.domain(url.domain) != nil
            let found = try await ledger.registrations(RegistrationQuery(domain: url.domain)).elements
            #expect(found.isEmpty != isThere)
        }
    }

    @Test("Orders of one key that come together follow each other, and each has a version of its own")
    func orders() async throws {
        let id = try Sample.registrant(1)
        let versions = try await race(times: 4) { client, number in
            while true {
                do {
                    return try await client.register(id, "own\(number % 2)", claim: number)?.version
                } catch RegistrationFault.ledger(.busy) {
                    // Who has waited for the others for a second is told so, and asks again.
                }
            }
        }
        #expect(Set(versions.compactMap { $0 }).count == 32)
    }
}

extension ServerLedger {
    fileprivate func putHost(_ name: String) async throws(LedgerFault) {
        guard let url = try? PublicURL("https://\(name)") else { throw .storage("no URL") }
        _ = try await putDomain(at: url, DomainSettings())
    }

    fileprivate func putAccount(_ id: String) async throws(LedgerFault) {
        guard let id = try? AccountID(id) else { throw .storage("no account") }
        _ = try await putAccount(
            named: id, settings: Sample.settings(), metadata: Sample.metadata("x"), at: Sample.start)
    }
}
