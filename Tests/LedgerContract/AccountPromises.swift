import LNURL
import LightningCoding
import Receiving
import Testing

extension Promise {
    static let accounts = [
        Promise("An account comes back as it was put, and an unknown one does not") { ledger in
            let name = try Sample.alice()
            let expected = Account(
                name: name, version: 1, metadata: Sample.metadata("One"), settings: Sample.settings("One"),
                createdAt: Sample.start
            )
            #expect(try await ledger.put("alice", "One") == expected)
            #expect(try await ledger.account(named: name) == expected)
            #expect(try await ledger.account(named: AddressName("bob")) == nil)
        },
        Promise("A version goes up when the metadata text changes, and not when settings do") { ledger in
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
            // An earlier text is a new version all the same: what counts is the current one.
            #expect(try await ledger.put("alice", "One").version == 3)
        },
        Promise("Every version's text stays") { ledger in
            let name = try Sample.alice()
            try await ledger.put("alice", "One")
            try await ledger.put("alice", "Two")
            #expect(try await ledger.metadata(of: name, version: 1) == Sample.metadata("One"))
            #expect(try await ledger.metadata(of: name, version: 2) == Sample.metadata("Two"))
            for version in [0, 3, UInt64.max] {
                #expect(try await ledger.metadata(of: name, version: version) == nil)
            }
            #expect(try await ledger.metadata(of: AddressName("bob"), version: 1) == nil)
        },
        Promise("An account that was removed is gone; should it come back, its versions go on") { ledger in
            let name = try Sample.alice()
            #expect(try await ledger.removeAccount(named: name) == false)
            try await ledger.put("alice", "One")
            #expect(try await ledger.removeAccount(named: name))
            #expect(try await ledger.account(named: name) == nil)
            #expect(try await ledger.accounts().isEmpty)
            #expect(try await ledger.metadata(of: name, version: 1) == nil)
            #expect(try await ledger.removeAccount(named: name) == false)
            #expect(try await ledger.put("alice", "Two").version == 2)
            #expect(try await ledger.metadata(of: name, version: 1) == Sample.metadata("One"))
        },
        Promise("Accounts are listed by name") { ledger in
            for name in ["carol", "alice", "bob.2", "bob"] { try await ledger.put(name) }
            #expect(try await ledger.accounts().map(\.name.text) == ["alice", "bob", "bob.2", "carol"])
        },
        Promise("The revision changes with every change of an account, and with nothing else") { ledger in
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
    ]
}
