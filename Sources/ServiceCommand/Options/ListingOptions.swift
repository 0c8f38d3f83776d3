import ServiceSetup
import HTTPService
import ArgumentParser
import LNURL
import LightningCoding
import Contracts
import SQLiteLedger

/// The page of a list to show.
struct ListingOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Only those of this account.", valueName: "name"))
    var account: String?
    @Option(help: ArgumentHelp("How many at the most, 1 to 1000.", valueName: "count"))
    var limit = 50
    @Option(help: ArgumentHelp("Where the page before ended: what it gave as next.", valueName: "next"))
    var after: Int64?

    /// Where the previous page ended.
    var mark: PageMark? { after.map { PageMark(position: $0) } }

    func accountName() throws(CommandFailure) -> AddressName? {
        guard let account else { return nil }
        return try AccountArgument.name(account)
    }

    func count() throws(CommandFailure) -> Int {
        guard (1...1000).contains(limit) else { throw CommandFailure(.usage, "--limit must be between 1 and 1000") }
        return limit
    }
}

extension CommandResult {
    /// A page of a list.
    ///
    /// - Parameters:
    ///   - name: of the member that holds the list.
    ///   - noun: what the elements are called, where that is not the name.
    init<Element>(
        _ page: Page<Element>, as name: String, noun: String? = nil, line: (Element) -> String,
        json: (Element) -> JSONValue
    ) {
        let more = page.next.map { "More with --after \($0.position)\n" } ?? ""
        let text = page.elements.isEmpty ? "There are no \(noun ?? name).\n" : page.elements.map(line).joined()
        self.init(text: text + more, json: page.json(as: name, json))
    }
}

extension LedgerDatabase {
    /// Refuses the name of an account that never existed. A removed one has left its invoices.
    func requireKnown(_ name: AddressName) async throws(CommandFailure) {
        let known = InvoiceQuery(account: name, now: .now(), limit: 1)
        guard try await CommandFailure.asking(await account(named: name)) == nil,
            try await CommandFailure.asking(await invoices(known)).invoices.isEmpty
        else { return }
        throw CommandFailure(.no, "there is no account \(name)")
    }
}
