import ArgumentParser
import ServiceSetup
import LightningCoding
import ResponderCore
import ResponderModel

struct Events: InstallationCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "List handled notifications, newest first: what arrived, what was answered, and whether the "
            + "reply was accepted."
    )

    @OptionGroup var common: CommonOptions
    @OptionGroup var listing: ListingOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        var query = EventQuery(after: listing.page.mark, limit: try listing.page.count())
        let account = try listing.argument()
        let ledger = try await settings.configuration().openUsedLedger(for: .reading)
        query.account = try await ledger.account(account)
        let page = try await CommandFailure.asking(await ledger.events(query))
        if page.elements.isEmpty, let account = query.account { try await ledger.requireKnown(account) }
        return CommandResult(page, as: "events", line: \.line, json: { .object($0.json) })
    }
}
