import ArgumentParser
import Installing
import LightningCoding
import Receiving
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
        let installation = try await Installation.open(settings.configuration())
        do {
            return CommandResult(
                try await installation.ledger.events(query), as: "events", line: \.line, json: { .object($0.json) })
        } catch {
            throw CommandFailure(error)
        }
    }
}
