import Installing
import AddressService
import ArgumentParser
import LNURL
import LightningCoding
import Receiving
import SQLiteLedger

/// Lists invoices.
struct Invoices: ReportingCommand {
    static let configuration = CommandConfiguration(abstract: "List invoices, newest first.")

    @OptionGroup var output: OutputOptions
    @Option(help: ArgumentHelp("Only those of this account.", valueName: "name"))
    var account: String?
    @Option(help: ArgumentHelp("Only those that are open, settled or expired.", valueName: "state"))
    var state: String?
    @Option(help: ArgumentHelp("How many at the most, 1 to 1000.", valueName: "count"))
    var limit = 50
    @Option(help: ArgumentHelp("Where the page before ended: what it gave as next.", valueName: "next"))
    var after: Int64?
    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        let query = try query()
        let installation = try await Installation.open(settings.configuration())
        let page: InvoicePage
        do {
            page = try await installation.ledger.invoices(query)
        } catch {
            throw CommandFailure(error)
        }
        let more = page.next.map { "More with --after \($0.position)\n" } ?? ""
        return CommandResult(
            text: page.invoices.map { $0.line(at: query.now) }.joined() + more,
            json: [
                "invoices": .array(page.invoices.map { $0.json(at: query.now) }),
                "next": .text(page.next.map { String($0.position) }),
            ]
        )
    }

    private func query() throws(CommandFailure) -> InvoiceQuery {
        guard (1...1000).contains(limit) else { throw CommandFailure(.usage, "--limit must be between 1 and 1000") }
        var query = InvoiceQuery(now: .now(), after: after.map { .init(position: $0) }, limit: limit)
        if let account { query.account = try AccountArgument.name(account) }
        if let state {
            guard let state = IssuedInvoice.State(rawValue: state) else {
                throw CommandFailure(.usage, "--state must be open, settled or expired")
            }
            query.state = state
        }
        return query
    }
}

extension IssuedInvoice {
    fileprivate func line(at now: UnixTime) -> String {
        let words =
            switch origin {
            case .lnurl(let words): words.comment.map { "  “\($0.printable)”" } ?? ""
            case .bolt12(let offered):
                "  BOLT12" + (offered.quantity.map { "  × \($0)" } ?? "")
                    + (offered.payerNote.map { "  “\($0.printable)”" } ?? "")
                    + (offered.name.map { "  for \($0)" } ?? "")
            }
        return
            "\(createdAt.iso8601)  \(state(at: now).rawValue)  \(amount.formatted)  \(account)  \(paymentHash)\(words)\n"
    }
}
