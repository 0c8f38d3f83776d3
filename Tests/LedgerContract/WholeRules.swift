import LightningCoding
import ResponderModel
import Testing

extension LedgerRule {
    static let whole = [
        LedgerRule("The public URL is the one kept last, and nil before") { ledger in
            #expect(try await ledger.publicURL() == nil)
            for text in ["https://one.example", "https://two.example:8443/pay"] {
                try await ledger.keep(publicURL: HTTPURL(text))
                #expect(try await ledger.publicURL()?.text == HTTPURL(text).text)
            }
        },
        LedgerRule("Writes are counted") { ledger in
            let before = ledger.statistics
            // A write may be counted just after its caller has returned, and before the next one.
            for text in ["One", "Two"] { try await ledger.put("alice", text) }
            #expect(ledger.statistics.writes > before.writes)
            #expect(ledger.statistics.commits > before.commits)
            #expect(ledger.statistics.time > before.time)
        },
        LedgerRule("A probe leaves nothing behind and can be repeated") { ledger in
            for _ in 0..<2 { try await ledger.probe() }
            #expect(try await ledger.check(payees: [:]) == LedgerReport())
        },
    ]
}
