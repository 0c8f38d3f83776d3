import Notifications
import ServiceSetup
import ArgumentParser
import LightningCoding
import Contracts
import SQLiteLedger

/// Lists handled notifications.
struct Events: ReportingCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "List the notifications that were handled, newest first: what came, what was answered, and whether the "
            + "reply was taken."
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup var listing: ListingOptions
    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        let query = EventQuery(
            account: try listing.accountName(), after: listing.mark, limit: try listing.count())
        let ledger = try await DataFolder.used(by: settings.configuration()).openLedgerToRead()
        let page = try await CommandFailure.asking(await ledger.events(query))
        if page.events.isEmpty, let account = query.account { try await ledger.requireKnown(account) }
        return CommandResult(page, as: "events", line: \.line, json: { .object($0.json) })
    }
}
