import ArgumentParser
import ResponderCore
import ServiceSetup
import LightningCoding
import ResponderModel

struct Invoices: InstallationCommand {
    static let configuration = CommandConfiguration(abstract: "List invoices, newest first.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var listing: ListingOptions
    @Option(help: ArgumentHelp("Only those that are open, settled or expired.", valueName: "state"))
    var state: String?
    @Flag(
        help:
            "Only those that expired unpaid more than ledger.keep-expired days ago, and stay since no node accounts for them."
    )
    var unaccounted = false

    func perform() async throws(CommandFailure) -> CommandResult {
        var query = try query()
        let account = try listing.argument()
        let configuration = try settings.configuration()
        guard !unaccounted || state == nil else {
            throw CommandFailure(.usage, "--unaccounted and --state exclude each other")
        }
        let ledger = try await configuration.openUsedLedger(for: .reading)
        query.now = try await CommandFailure.asking(await ledger.now())
        if unaccounted {
            query.state = .expired
            let kept = configuration.ledger.keepExpired * 86_400
            query.now = UnixTime(query.now.seconds - min(query.now.seconds, kept))
        }
        query.account = try await ledger.account(account)
        let page = try await CommandFailure.asking(await ledger.invoices(query))
        if page.elements.isEmpty, let account = query.account { try await ledger.requireKnown(account) }
        return CommandResult(
            page, as: "invoices", line: { [now = query.now] in $0.line(at: now) },
            json: { [now = query.now] in $0.json(at: now) })
    }

    private func query() throws(CommandFailure) -> InvoiceQuery {
        var query = InvoiceQuery(now: UnixTime(0), after: listing.page.mark, limit: try listing.page.count())
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
