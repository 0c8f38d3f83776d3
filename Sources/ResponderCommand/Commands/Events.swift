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
    @Option(help: ArgumentHelp("Only those of this account.", valueName: "name"))
    var account: String?
    @Option(help: ArgumentHelp("How many at the most, 1 to 1000.", valueName: "count"))
    var limit = 50
    @Option(help: ArgumentHelp("Where the page before ended: what it gave as next.", valueName: "next"))
    var after: Int64?
    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        guard (1...1000).contains(limit) else { throw CommandFailure(.usage, "--limit must be between 1 and 1000") }
        var query = EventQuery(after: after.map { .init(position: $0) }, limit: limit)
        if let account { query.account = try AccountArgument.name(account) }
        let installation = try await Installation.open(settings.configuration())
        let page: EventPage
        do {
            page = try await installation.ledger.events(query)
        } catch {
            throw CommandFailure(error)
        }
        let more = page.next.map { "More with --after \($0.position)\n" } ?? ""
        return CommandResult(
            text: page.events.map(\.line).joined() + more,
            json: [
                "events": .array(page.events.map { .object($0.json) }),
                "next": .text(page.next.map { String($0.position) }),
            ]
        )
    }
}
