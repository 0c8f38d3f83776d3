import LedgerContract
import LedgerRecords
import ResponderModel
import TemporaryFolders
import Testing
@testable import SQLiteLedger

@Suite("The query plans for a page of invoices", .timeLimit(.minutes(5)))
struct ListingPlanTests {
    static let states: [IssuedInvoice.State?] = [nil, .open, .settled, .expired]

    @Test("One index, in its own order: no sorting, no table scan", arguments: states, [true, false])
    func plan(_ state: IssuedInvoice.State?, _ ofOneAccount: Bool) async throws {
        let folder = TemporaryFolder()
        let ledger = try await LedgerDatabase.open(at: folder.path + "/ledger.sqlite")
        let account = ofOneAccount ? try Sample.alice() : nil
        let listing = try LedgerDatabase.listing(InvoiceQuery(account: account, state: state, now: Sample.start))
        let plan = try await ledger.rows("EXPLAIN QUERY PLAN " + listing.sql, listing.values) {
            row throws(LedgerFault) in
            try row.text("detail")
        }
        #expect(plan.first?.hasPrefix("SEARCH invoice USING") == true, "\(plan)")
        // The rest finds an account and its domain by their numbers or names.
        for step in plan.dropFirst() {
            #expect(step.contains("SCALAR SUBQUERY") || step.wholeMatch(of: /SEARCH (account|domain) USING .*/) != nil)
        }
    }
}
