import LNURL
import LightningCoding
import ResponderModel
import Testing

extension LedgerRule {
    static let accounts = [
        LedgerRule("An account reads back as written, and an unknown one is nil") { ledger in
            let name = try Sample.alice()
            let expected = Account(
                name: name.name, domain: try Sample.domain(), version: 1, metadata: Sample.metadata("One"),
                settings: Sample.settings("One"),
                createdAt: Sample.start
            )
            #expect(try await ledger.put("alice", "One") == expected)
            #expect(try await ledger.account(named: name) == expected)
            #expect(try await ledger.account(named: Sample.account("bob")) == nil)
        },
        LedgerRule("The version increases when the metadata text changes, and not with other settings") { ledger in
            let name = try Sample.alice()
            try await ledger.put("alice", "One")
            var settings = Sample.settings("One")
            settings.commentAllowed = 7
            let same = try await ledger.putAccount(
                named: name, settings: settings, metadata: Sample.metadata("One"), at: Sample.start.adding(seconds: 5)
            )
            #expect(same.version == 1)
            #expect(same.settings.commentAllowed == 7)
            #expect(same.createdAt == Sample.start)
            #expect(try await ledger.put("alice", "Two").version == 2)
            // Reverting to an earlier text also makes a new version: only the current one counts.
            #expect(try await ledger.put("alice", "One").version == 3)
        },
        LedgerRule("The version increases when the requested payer data changes, and keeps its own") {
            ledger in
            _ = try await ledger.putMainDomain(at: HTTPURL("https://example.com"))
            let name = try Sample.alice()
            let asked = [
                PayerDataSpec([.name: .optional]), PayerDataSpec([:]), PayerDataSpec([.email: .mandatory]),
                PayerDataSpec([.email: .mandatory]),
            ]
            var versions: [UInt64] = []
            for spec in asked {
                var settings = Sample.settings("One")
                settings.payerData = spec
                versions.append(
                    try await ledger.putAccount(
                        named: name, settings: settings, metadata: Sample.metadata("One"), at: Sample.start
                    ).version)
            }
            #expect(versions == [1, 2, 3, 3])
            for (number, spec) in zip(UInt64(1)...3, asked) {
                let expected = AccountVersion(number: number, metadata: Sample.metadata("One"), payerData: spec)
                #expect(try await ledger.version(number, of: name) == expected)
            }
        },
        LedgerRule("A change that expects an earlier revision is refused and changes nothing") { ledger in
            let account = try await ledger.put("alice")
            var revision = try await ledger.accountsRevision()
            try await ledger.put("bob")
            var settings = Sample.settings("Two")
            settings.settlementWebhook = SettlementWebhook(
                url: try HTTPURL("https://example.com/paid"), secretFile: "/secret")
            func put(_ name: String, expecting revision: UInt64) async throws -> Account {
                try await ledger.putAccount(
                    named: Sample.account(name), settings: settings, metadata: Sample.metadata("Two"),
                    at: Sample.start.adding(seconds: 5), expecting: revision)
            }
            for name in ["alice", "carol"] {
                await #expect(throws: LedgerFault.changedMeanwhile) { try await put(name, expecting: revision) }
            }
            #expect(try await ledger.account(named: account.id) == account)
            #expect(try await ledger.account(named: Sample.account("carol")) == nil)
            #expect(try await ledger.accountsRevision() == revision + 1)
            // A refused change adds no settlement webhook either.
            try await ledger.record(try Sample.invoice(1), using: nil)
            _ = try await ledger.record(try Sample.settlement(1), from: .embedded)
            #expect(try await ledger.totals().pending == [:])
            revision = try await ledger.accountsRevision()
            #expect(try await put("alice", expecting: revision).version == 2)
            await #expect(throws: LedgerFault.changedMeanwhile) { try await put("alice", expecting: revision + 2) }
        },
        LedgerRule("The text of every version is kept") { ledger in
            let name = try Sample.alice()
            try await ledger.put("alice", "One")
            try await ledger.put("alice", "Two")
            #expect(try await ledger.version(1, of: name)?.metadata == Sample.metadata("One"))
            #expect(try await ledger.version(2, of: name)?.metadata == Sample.metadata("Two"))
            for version in [0, 3, UInt64.max] {
                #expect(try await ledger.version(version, of: name) == nil)
            }
            #expect(try await ledger.version(1, of: Sample.account("bob")) == nil)
        },
        LedgerRule("A removed account is gone; if it is added again, its versions continue") { ledger in
            let name = try Sample.alice()
            #expect(try await ledger.removeAccount(named: name) == false)
            try await ledger.put("alice", "One")
            #expect(try await ledger.removeAccount(named: name))
            #expect(try await ledger.account(named: name) == nil)
            #expect(try await ledger.accounts().isEmpty)
            #expect(try await ledger.version(1, of: name) == nil)
            #expect(try await ledger.removeAccount(named: name) == false)
            #expect(try await ledger.put("alice", "Two").version == 2)
            #expect(try await ledger.version(1, of: name)?.metadata == Sample.metadata("One"))
        },
        LedgerRule("Accounts are listed by domain and name") { ledger in
            for name in ["carol", "alice", "bob.2", "bob"] { try await ledger.put(name) }
            #expect(try await ledger.accounts().map(\.name.text) == ["alice", "bob", "bob.2", "carol"])
        },
        LedgerRule("The revision changes with every change of an account, and only then") { ledger in
            var revisions = [try await ledger.accountsRevision()]
            try await ledger.put("alice")
            revisions.append(try await ledger.accountsRevision())
            try await ledger.put("alice", "Two")
            revisions.append(try await ledger.accountsRevision())
            _ = try await ledger.removeAccount(named: Sample.alice())
            revisions.append(try await ledger.accountsRevision())
            try await ledger.put("alice", "Two")
            revisions.append(try await ledger.accountsRevision())
            #expect(Set(revisions).count == revisions.count)
            try await ledger.record(try Sample.invoice(1), using: .challenge(Sample.challenge(1)))
            _ = try await ledger.record(try Sample.settlement(1), from: .embedded)
            #expect(try await ledger.accountsRevision() == revisions.last)
        },
        LedgerRule("Each import of an offer changes the revision, and no other offer does") { ledger in
            try await ledger.put("alice")
            var revision = try await ledger.accountsRevision()
            _ = try await ledger.putOffer(Sample.offer(1))
            #expect(try await ledger.accountsRevision() == revision)
            for _ in 0..<2 {
                _ = try await ledger.putOffer(Sample.offer(2, origin: .imported))
                let next = try await ledger.accountsRevision()
                #expect(next != revision)
                revision = next
            }
        },
        LedgerRule("Waiting for another revision ends at once when there is one, else with the next change") { ledger in
            let first = try await ledger.accountsRevision()
            async let next = ledger.accountsRevision(otherThan: first)
            try await ledger.put("alice")
            let second = try await ledger.accountsRevision()
            // It may be that of the domain, which comes before the account.
            let told = try await next
            #expect(told != first && told <= second)
            #expect(try await ledger.accountsRevision(otherThan: first) == second)
        },
        LedgerRule("A canceled wait for another revision ends with the known one") { ledger in
            let revision = try await ledger.accountsRevision()
            let waiting = Task { try await ledger.accountsRevision(otherThan: revision) }
            waiting.cancel()
            #expect(try await waiting.value == revision)
        },
    ]
}
