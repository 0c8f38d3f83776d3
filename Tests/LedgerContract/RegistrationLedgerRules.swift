package import LNURL
import LightningCoding
import LightningCrypto
package import ResponderModel
import Testing

extension Sample {
    /// The registration id with that number, from 1.
    package static func registrant(_ number: UInt8, at domain: DomainName? = nil) throws -> RegistrationID {
        RegistrationID(try node(number), at: try domain ?? Self.domain().name)
    }

    /// The webhook of a device.
    package static func webhook(_ number: UInt8 = 1) throws -> WebhookURL {
        try WebhookURL("https://nds.example/api/v1/notify?platform=ios&token=\(number)")
    }

    /// A statement with that number.
    static func claim(_ number: UInt64, for use: StatementClaim.Use = .change) -> StatementClaim {
        StatementClaim(
            use, digest: SHA256.hash("\(use) \(number)".utf8), expiresAt: start.adding(seconds: number))
    }
}

extension Ledger {
    /// Carries out an order that registers a name with a webhook.
    @discardableResult
    package func register(
        _ id: RegistrationID, _ name: String?, offer: String? = nil, claim: UInt64, webhook: UInt8 = 1,
        rules: RegistrationRules = RegistrationRules(), after seconds: UInt64 = 0
    ) async throws(RegistrationFault) -> Registration? {
        let change: RegistrationOrder.Change
        do {
            change = .register(
                webhook: try Sample.webhook(webhook), name: try name.map { try AddressName($0) }, offer: offer)
        } catch {
            throw .ledger(.storage("a bad sample"))
        }
        return try await carryOut(
            RegistrationOrder(by: id, change, claiming: [Sample.claim(claim)]), under: rules,
            at: Sample.start.adding(seconds: seconds))
    }

    fileprivate func unregister(_ id: RegistrationID, claim: UInt64, webhook: UInt8 = 1) async throws {
        _ = try await carryOut(
            RegistrationOrder(by: id, .unregister(webhook: Sample.webhook(webhook)), claiming: [Sample.claim(claim)]),
            under: RegistrationRules(), at: Sample.start)
    }
}

extension Ledger {
    /// What owners are to be told of their registrations, the oldest first.
    fileprivate func changes() async throws -> [RegistrationChange] {
        try await outbox(OutboxQuery(kind: .registrationChange)).elements.reversed().compactMap {
            RegistrationChange($0)
        }
    }
}

extension LedgerRule {
    static let registrations = [
        LedgerRule("A statement that was used to read registers a key that has nothing, and changes no other") {
            ledger in
            func use(
                _ change: RegistrationOrder.Change, _ number: UInt64, for uses: [StatementClaim.Use]
            ) async throws -> Registration? {
                let claims = uses.map { Sample.claim(number, for: $0) }
                return try await ledger.carryOut(
                    RegistrationOrder(by: Sample.registrant(1), change, claiming: claims), under: RegistrationRules(),
                    at: Sample.start)
            }
            try await ledger.put("operator")
            let change = RegistrationOrder.Change.register(webhook: try Sample.webhook(), name: nil, offer: nil)
            #expect(try await use(.recover, 1, for: [.read]) == nil)
            let first = try await use(change, 1, for: [.change, .read])
            #expect(first != nil)
            let other = RegistrationOrder.Change.register(webhook: try Sample.webhook(2), name: nil, offer: nil)
            #expect(try await use(.recover, 2, for: [.read]) == first)
            for number in [1, 2] as [UInt64] {
                await #expect(throws: RegistrationFault.refused(.replayed)) {
                    try await use(other, number, for: [.change, .read])
                }
            }
            #expect(try await use(.recover, 3, for: [.read]) == first)
        },
        LedgerRule("A registration reads back as written, by its key and by its name") { ledger in
            try await ledger.put("operator")
            let id = try Sample.registrant(1)
            let written = try #require(try await ledger.register(id, "alice", offer: "lno1", claim: 1))
            #expect(written.version > 0 && written.offer == "lno1")
            let webhook = try Sample.webhook()
            #expect(written.webhook == webhook)
            #expect(written.createdAt == Sample.start && written.refreshedAt == Sample.start)
            #expect(try await ledger.registration(id) == written)
            #expect(try await ledger.registration(named: Sample.account("alice")) == written)
            #expect(try await ledger.registration(named: Sample.account("bob")) == nil)
            #expect(try await ledger.registration(Sample.registrant(2)) == nil)
        },
        LedgerRule("Every change of a registration has a version of its own, also after it was removed") { ledger in
            try await ledger.put("operator")
            let id = try Sample.registrant(1)
            var versions: [UInt64] = []
            for claim in 1...3 as ClosedRange<UInt64> {
                versions.append(try #require(try await ledger.register(id, nil, claim: claim)).version)
            }
            #expect(try await ledger.removeRegistration(id, holdsName: true, at: Sample.start))
            versions.append(try #require(try await ledger.register(id, nil, claim: 4)).version)
            #expect(versions == versions.sorted() && Set(versions).count == 4)
        },
        LedgerRule("The order that changes a registration adds the work of telling its owner, who has devices") {
            ledger in
            try await ledger.put("operator")
            let (id, other) = (try Sample.registrant(1), try Sample.registrant(2))
            try await ledger.putDevice(1, of: 1, at: 1)
            try await ledger.register(other, "bob", claim: 100)
            try await ledger.register(other, "carol", claim: 101)
            try await ledger.register(id, "alice", claim: 1)
            try await ledger.register(id, "alice", claim: 2)
            #expect(try await ledger.changes().isEmpty)
            // Only the push token in the query is another one.
            try await ledger.register(id, "alice", claim: 3, webhook: 2)
            try await ledger.register(id, "dave", claim: 4, webhook: 2)
            try await ledger.unregister(id, claim: 5, webhook: 2)
            let changes = try await ledger.changes()
            #expect(changes.allSatisfy { $0.registration == id })
            #expect(changes.map { $0.former.name?.text } == ["alice", "alice", "dave"])
            #expect(changes.map { $0.present?.name?.text } == ["alice", "dave", nil])
            let due = try await ledger.outbox(OutboxQuery()).elements.first?.state
            #expect(due == .pending(dueAt: Sample.start.adding(seconds: RegistrationChange.pause)))
        },
        LedgerRule("Of each removal its owner is told, and a registration made again is compared with the one removed")
        {
            ledger in
            try await ledger.put("operator")
            let id = try Sample.registrant(1)
            try await ledger.putDevice(1, of: 1, at: 1)
            try await ledger.register(id, "alice", claim: 1)
            try await ledger.unregister(id, claim: 2)
            try await ledger.register(id, "alice", claim: 3)
            #expect(try await ledger.changes().map(\.present) == [nil])
            try await ledger.unregister(id, claim: 4)
            #expect(try await ledger.changes().map(\.present) == [nil, nil])
            // Elsewhere, and back before anybody looks.
            try await ledger.register(id, "alice", claim: 5, webhook: 2)
            try await ledger.unregister(id, claim: 6, webhook: 2)
            try await ledger.register(id, "alice", claim: 7)
            #expect(try await ledger.changes().map { $0.present == nil } == [true, true, false, true, false])
        },
        LedgerRule(
            "An owner who has devices is told when the operator removes the registration, and when it is not renewed"
        ) { ledger in
            try await ledger.put("operator")
            let ids = try (1...3 as ClosedRange<UInt8>).map { try Sample.registrant($0) }
            for number in [1, 2] as [UInt8] { try await ledger.putDevice(number, of: number, at: 1) }
            for (id, claim) in zip(ids, UInt64(1)...) { try await ledger.register(id, "name\(claim)", claim: claim) }
            for id in [ids[0], ids[2]] {
                #expect(try await ledger.removeRegistration(id, holdsName: false, at: Sample.start))
            }
            #expect(try await ledger.changes().map(\.registration) == [ids[0]])
            try await ledger.register(ids[2], nil, claim: 4, after: 100)
            let count = try await ledger.pruneRegistrations(
                RegistrationRetention(lifetime: 99), at: Sample.start.adding(seconds: 100), under: ledger.held(.upkeep))
            #expect(count >= 1)
            #expect(try await ledger.registration(ids[1]) == nil)
            #expect(try await ledger.registration(ids[2]) != nil)
            let changes = try await ledger.changes()
            #expect(Set(changes.map(\.registration)) == [ids[0], ids[1]])
            #expect(changes.allSatisfy { $0.present == nil } && changes.count == 2)
        },
        LedgerRule("A name belongs to one account or one registration of its domain") { ledger in
            try await ledger.put("operator")
            let (one, two) = (try Sample.registrant(1), try Sample.registrant(2))
            try await ledger.register(one, "alice", claim: 1)
            let taken = RegistrationFault.refused(.nameTaken(try AddressName("alice")))
            await #expect(throws: taken) { try await ledger.register(two, "alice", claim: 2) }
            #expect(try await ledger.registration(two) == nil)
            await #expect(throws: RegistrationFault.refused(.nameTaken(try AddressName("operator")))) {
                try await ledger.register(two, "operator", claim: 3)
            }
            _ = try await ledger.removeAccount(named: Sample.account("operator"))
            #expect(try await ledger.nameState(of: Sample.account("operator")) == .account)
            await #expect(throws: LedgerFault.nameRegistered(try Sample.account("alice"))) {
                try await ledger.put("alice")
            }
            #expect(try await ledger.account(named: Sample.account("alice")) == nil)
            #expect(try await ledger.nameState(of: Sample.account("alice")) == .registered(one.key))
            #expect(try await ledger.nameState(of: Sample.account("carol")) == .free)
        },
        LedgerRule("A key registers in each domain by itself, and in none that does not exist") { ledger in
            try await ledger.put("operator")
            let elsewhere = try DomainName("elsewhere.example")
            let other = try Sample.registrant(1, at: elsewhere)
            await #expect(throws: RegistrationFault.ledger(.unknownDomain(elsewhere))) {
                try await ledger.register(other, "alice", claim: 1)
            }
            _ = try await ledger.putDomain(at: PublicURL("https://elsewhere.example"), DomainSettings())
            try await ledger.register(try Sample.registrant(1), "alice", claim: 2)
            try await ledger.register(other, "bob", claim: 3)
            #expect(try await ledger.registration(Sample.registrant(1))?.name?.text == "alice")
            #expect(try await ledger.registration(other)?.name?.text == "bob")
            await #expect(throws: LedgerFault.domainInUse(elsewhere)) { try await ledger.removeDomain(elsewhere) }
            #expect(try await ledger.removeRegistration(other, holdsName: true, at: Sample.start))
            #expect(try await ledger.removeDomain(elsewhere))
        },
        LedgerRule("Of many keys that take one name at once, one gets it") { ledger in
            try await ledger.put("operator")
            let winners = await withTaskGroup(of: Bool.self, returning: Int.self) { group in
                for number in UInt8(1)...8 {
                    group.addTask {
                        guard let id = try? Sample.registrant(number) else { return false }
                        return (try? await ledger.register(id, "alice", claim: UInt64(number))) != nil
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(winners == 1)
        },
        LedgerRule("A statement acts once; repeated, it is answered while it asks for the present state") { ledger in
            try await ledger.put("operator")
            let id = try Sample.registrant(1)
            let first = try await ledger.register(id, "alice", claim: 1)
            #expect(try await ledger.register(id, "alice", claim: 1) == first)
            try await ledger.unregister(id, claim: 2)
            await #expect(throws: RegistrationFault.refused(.replayed)) {
                try await ledger.register(id, "alice", claim: 1)
            }
            try await ledger.register(id, "alice", claim: 3)
            await #expect(throws: RegistrationFault.refused(.replayed)) { try await ledger.unregister(id, claim: 2) }
            #expect(try await ledger.registration(id) != nil)
        },
        LedgerRule("What was unregistered is gone, but for its name, which is held for the owner") { ledger in
            try await ledger.put("operator")
            let (id, alice) = (try Sample.registrant(1), try Sample.account("alice"))
            try await ledger.register(id, "alice", offer: "lno1", claim: 1)
            try await ledger.unregister(id, claim: 2)
            #expect(try await ledger.registration(id) == nil)
            #expect(try await ledger.nameState(of: alice) == .held(for: OwnerDigest(of: id.key), since: Sample.start))
            await #expect(throws: RegistrationFault.refused(.nameReserved(alice.name))) {
                try await ledger.register(try Sample.registrant(2), "alice", claim: 3)
            }
            await #expect(throws: LedgerFault.nameRegistered(alice)) { try await ledger.put("alice") }
            try await ledger.register(id, "alice", claim: 4)
            #expect(try await ledger.nameState(of: alice) == .registered(id.key))
        },
        LedgerRule("A renamed registration holds its former name; a fourth name within a month is refused") { ledger in
            try await ledger.put("operator")
            let id = try Sample.registrant(1)
            for (number, name) in ["a", "b", "c", "d"].enumerated() {
                try await ledger.register(id, name, claim: UInt64(number))
            }
            #expect(try await ledger.nameState(of: Sample.account("a")) != .free)
            await #expect(throws: RegistrationFault.refused(.tooManyNames(retryAfter: 30 * 86_400))) {
                try await ledger.register(id, "e", claim: 10)
            }
            // One of its own again.
            try await ledger.register(id, "a", claim: 11)
            #expect(try await ledger.registration(named: Sample.account("a"))?.id == id)
            try await ledger.register(id, "e", claim: 12, after: 30 * 86_400)
        },
        LedgerRule("A reserved name is taken by nobody until it is freed; one that is registered stays so") { ledger in
            try await ledger.put("operator")
            let (id, alice) = (try Sample.registrant(1), try Sample.account("alice"))
            await #expect(throws: LedgerFault.self) {
                try await ledger.reserve(
                    AccountID(alice.name, at: try DomainName("elsewhere.example")), at: Sample.start)
            }
            try await ledger.reserve(alice, at: Sample.start)
            #expect(try await ledger.reservedNames() == [alice])
            await #expect(throws: RegistrationFault.refused(.nameReserved(alice.name))) {
                try await ledger.register(id, "alice", claim: 1)
            }
            #expect(try await ledger.freeName(alice))
            #expect(try await ledger.freeName(alice) == false)
            try await ledger.register(id, "alice", claim: 2)
            try await ledger.reserve(alice, at: Sample.start)
            #expect(try await ledger.nameState(of: alice) == .registered(id.key))
        },
        LedgerRule("A name that is reserved while it is registered stays reserved, however it is given up") { ledger in
            try await ledger.put("operator")
            let (id, names) = (try Sample.registrant(1), try ["a", "b", "c", "d"].map { try Sample.account($0) })
            for name in names { try await ledger.reserve(name, at: Sample.start) }
            func take(_ number: Int) async throws {
                _ = try await ledger.freeName(names[number])
                try await ledger.register(id, names[number].name.text, claim: UInt64(number))
                try await ledger.reserve(names[number], at: Sample.start)
            }
            try await take(0)
            try await ledger.unregister(id, claim: 10)
            try await take(1)
            // Under another name.
            try await take(2)
            #expect(try await ledger.removeRegistration(id, holdsName: true, at: Sample.start))
            try await take(3)
            _ = try await ledger.pruneRegistrations(
                RegistrationRetention(lifetime: 1), at: Sample.start.adding(seconds: 2), under: ledger.held(.upkeep))
            #expect(try await ledger.registration(id) == nil)
            for name in names { #expect(try await ledger.nameState(of: name) == .reserved) }
        },
        LedgerRule("Registrations are listed newest first, page by page, for one domain or all") { ledger in
            try await ledger.put("operator")
            for number in 1...5 as ClosedRange<UInt8> {
                try await ledger.register(try Sample.registrant(number), "name\(number)", claim: UInt64(number))
            }
            let first = try await ledger.registrations(RegistrationQuery(limit: 3))
            #expect(first.elements.compactMap(\.name?.text) == ["name5", "name4", "name3"])
            let second = try await ledger.registrations(RegistrationQuery(limit: 3, after: first.next))
            #expect(second.elements.compactMap(\.name?.text) == ["name2", "name1"] && second.next == nil)
            let elsewhere = RegistrationQuery(domain: try DomainName("elsewhere.example"))
            #expect(try await ledger.registrations(elsewhere).elements.isEmpty)
        },
        LedgerRule("What the operator removes is gone, with or without holding the name") { ledger in
            try await ledger.put("operator")
            let (id, alice) = (try Sample.registrant(1), try Sample.account("alice"))
            #expect(try await ledger.removeRegistration(id, holdsName: true, at: Sample.start) == false)
            try await ledger.register(id, "alice", claim: 1)
            #expect(try await ledger.removeRegistration(id, holdsName: false, at: Sample.start))
            #expect(try await ledger.nameState(of: alice) == .free)
            try await ledger.register(id, "alice", claim: 2)
            #expect(try await ledger.removeRegistration(id, holdsName: true, at: Sample.start))
            #expect(try await ledger.nameState(of: alice) != .free)
        },
        LedgerRule("That a device's invoice was paid is kept with its registration, and goes with it") { ledger in
            try await ledger.put("operator")
            let id = try Sample.registrant(1)
            let invoice = try Sample.invoice(1)
            let paid = PaidInvoice(
                paymentHash: invoice.paymentHash, preimage: try Sample.preimage(1), bolt11: try #require(invoice.bolt11)
            )
            try await ledger.keep(paid, of: id, at: Sample.start)
            #expect(try await ledger.paidInvoice(invoice.paymentHash, of: id) == nil)
            try await ledger.register(id, nil, claim: 1)
            for _ in 1...2 { try await ledger.keep(paid, of: id, at: Sample.start) }
            #expect(try await ledger.paidInvoice(invoice.paymentHash, of: id) == paid)
            #expect(try await ledger.paidInvoice(invoice.paymentHash, of: Sample.registrant(2)) == nil)
            try await ledger.register(id, "alice", claim: 2)
            #expect(try await ledger.paidInvoice(invoice.paymentHash, of: id) == paid)
            #expect(try await ledger.removeRegistration(id, holdsName: true, at: Sample.start))
            try await ledger.register(id, nil, claim: 3)
            #expect(try await ledger.paidInvoice(invoice.paymentHash, of: id) == nil)
        },
        LedgerRule("Of a registration's paid invoices the last thousand are kept, whatever others have") { ledger in
            try await ledger.put("operator")
            let ids = try [1, 2].map { try Sample.registrant($0) }
            for (number, id) in ids.enumerated() { try await ledger.register(id, nil, claim: UInt64(number)) }
            let text = try #require(try Sample.invoice(1).bolt11)
            func paid(_ number: Int) throws -> PaidInvoice {
                let preimage = try Preimage(SHA256.hash("preimage \(number)".utf8))
                return PaidInvoice(paymentHash: preimage.paymentHash, preimage: preimage, bolt11: text)
            }
            try await ledger.keep(paid(0), of: ids[1], at: Sample.start)
            for number in 0...PaidInvoice.maximumCount {
                try await ledger.keep(paid(number), of: ids[0], at: Sample.start)
            }
            for (number, isKept) in [(0, false), (1, true), (PaidInvoice.maximumCount, true)] {
                #expect(try await (ledger.paidInvoice(paid(number).paymentHash, of: ids[0]) != nil) == isKept)
            }
            #expect(try await ledger.paidInvoice(paid(0).paymentHash, of: ids[1]) != nil)
            // Their text is that of another invoice, which an examination would find.
            for id in ids { #expect(try await ledger.removeRegistration(id, holdsName: false, at: Sample.start)) }
        },
        LedgerRule("What is over is deleted: statements, registrations that are not renewed, holds, paid invoices") {
            ledger in
            try await ledger.put("operator")
            let (id, alice) = (try Sample.registrant(1), try Sample.account("alice"))
            try await ledger.register(id, "alice", claim: 50)
            let invoice = try Sample.invoice(1)
            let paid = PaidInvoice(
                paymentHash: invoice.paymentHash, preimage: try Sample.preimage(1), bolt11: try #require(invoice.bolt11)
            )
            try await ledger.keep(paid, of: id, at: Sample.start)
            var retention = RegistrationRetention(lifetime: 100, hold: 1000)
            retention.paid = 60
            func prune(after seconds: UInt64) async throws -> Int {
                try await ledger.pruneRegistrations(
                    retention, at: Sample.start.adding(seconds: seconds), under: ledger.held(.upkeep))
            }
            #expect(try await prune(after: 50) == 0)
            #expect(try await prune(after: 51) == 1)
            #expect(try await prune(after: 60) == 0)
            #expect(try await prune(after: 61) == 1)
            #expect(try await ledger.paidInvoice(invoice.paymentHash, of: id) == nil)
            #expect(try await prune(after: 100) == 0)
            #expect(try await prune(after: 101) == 1)
            #expect(try await ledger.registration(id) == nil)
            let held = NameState.held(for: OwnerDigest(of: id.key), since: Sample.start.adding(seconds: 101))
            #expect(try await ledger.nameState(of: alice) == held)
            try await ledger.reserve(try Sample.account("bob"), at: Sample.start)
            #expect(try await prune(after: 1100) == 0)
            #expect(try await prune(after: 1101) == 1)
            #expect(try await ledger.nameState(of: alice) == .free)
            #expect(try await ledger.nameState(of: Sample.account("bob")) == .reserved)
            #expect(
                try await ledger.pruneRegistrations(
                    RegistrationRetention(), at: Sample.start.adding(seconds: 10_000_000), under: ledger.held(.upkeep))
                    == 0)
        },
    ]
}
