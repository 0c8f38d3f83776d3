import ArgumentParser
import ServiceSetup
import LightningCoding
import ResponderCore
import ResponderModel

struct Events: ReportingCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "List handled notifications, newest first: what arrived, what was answered, and whether the "
            + "reply was accepted."
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup var listing: ListingOptions
    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        let account = try listing.accountArgument()
        var query = EventQuery(after: listing.page.mark, limit: try listing.page.count())
        let ledger = try await settings.configuration().openUsedLedger(for: .reading)
        query.account = try await ledger.id(of: account)
        let page = try await CommandFailure.asking(await ledger.events(query))
        if page.events.isEmpty, let account = query.account { try await ledger.requireKnown(account) }
        return CommandResult(page, as: "events", line: \.line, json: { .object($0.json) })
    }
}
