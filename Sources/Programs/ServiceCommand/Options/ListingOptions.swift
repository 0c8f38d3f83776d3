import ArgumentParser
import ResponderCore
import ServiceSetup
import LightningCoding
import ResponderModel

struct PageOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The maximum number of entries, 1 to 1000.", valueName: "count"))
    var limit = 50
    @Option(help: ArgumentHelp("Where the previous page ended: its `next`.", valueName: "next"))
    var after: Int64?

    var mark: PageMark? { after.map { PageMark(position: $0) } }

    func count() throws(CommandFailure) -> Int {
        guard (1...1000).contains(limit) else { throw CommandFailure(.usage, "--limit must be between 1 and 1000") }
        return limit
    }
}

/// The page of a list to show, of all accounts or of one.
struct ListingOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Only those of this account.", valueName: "name"))
    var account: String?
    @OptionGroup var page: PageOptions

    /// The name of an account; nil for all. Read it before the ledger is opened.
    func argument() throws(CommandFailure) -> AccountArgument? {
        guard let account else { return nil }
        return try AccountArgument(account)
    }
}

extension Ledger {
    /// The account of that name; nil for all.
    ///
    /// - Throws: when the ledger has no domain, and therefore no account.
    func account(_ argument: AccountArgument?) async throws(CommandFailure) -> AccountID? {
        guard let argument else { return nil }
        let main = try await CommandFailure.asking(await mainDomain())
        return argument.id(main: try main.found(or: "no account \(argument.name)").name)
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

extension Ledger {
    /// Refuses the name of an account that never existed. A removed one has left its invoices.
    func requireKnown(_ id: AccountID) async throws(CommandFailure) {
        // The time only tells open ones from expired ones.
        let known = InvoiceQuery(account: id, now: UnixTime(0), limit: 1)
        guard try await CommandFailure.asking(await account(named: id)) == nil,
            try await CommandFailure.asking(await invoices(known)).elements.isEmpty
        else { return }
        throw CommandFailure(.no, "no account \(id)")
    }
}
