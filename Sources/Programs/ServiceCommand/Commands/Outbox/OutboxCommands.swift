import ArgumentParser
import ResponderCore
import ServiceSetup
import LightningCoding
import ResponderModel

struct OutboxCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox",
        abstract: "List, show, retry and remove notifications, webhooks and push messages that are not delivered yet.",
        discussion: """
            Accepted notifications, settlement webhooks and push messages stay in the outbox until they are delivered. A \
            failed webhook is retried for a day, and then parked. Push messages belong to no account.
            """,
        subcommands: [OutboxList.self, OutboxShow.self, OutboxRetry.self, OutboxRemove.self]
    )
}

struct OutboxList: InstallationCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the entries, newest first.")
    private static let kinds = OutboxKind.all.map(\.rawValue)

    @OptionGroup var common: CommonOptions
    @OptionGroup var listing: ListingOptions
    @Option(help: ArgumentHelp("Only one of \(Self.kinds.joined(separator: ", ")).", valueName: "kind"))
    var kind: String?
    @Option(help: ArgumentHelp("Only those that are pending or parked.", valueName: "state"))
    var state: String?

    func perform() async throws(CommandFailure) -> CommandResult {
        if let kind, !Self.kinds.contains(kind) {
            throw CommandFailure(.usage, "--kind must be \(Self.kinds.joined(separator: " or "))")
        }
        var query = OutboxQuery(
            kind: kind.map { OutboxKind(rawValue: $0) }, after: listing.page.mark, limit: try listing.page.count())
        switch state {
        case nil: break
        case "pending": query.isParked = false
        case "parked": query.isParked = true
        default: throw CommandFailure(.usage, "--state must be pending or parked")
        }
        let account = try listing.argument()
        let ledger = try await settings.configuration().openUsedLedger(for: .reading)
        query.account = try await ledger.account(account)
        let page = try await CommandFailure.asking(await ledger.outbox(query))
        if page.elements.isEmpty, let account = query.account { try await ledger.requireKnown(account) }
        return CommandResult(page, as: "outbox", noun: "outbox entries", line: \.line, json: \.json)
    }
}

struct OutboxShow: InstallationCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show an entry with its payload.")

    @OptionGroup var common: CommonOptions
    @Argument(help: "The id of the entry, as shown by `outbox list`.")
    var id: String

    func perform() async throws(CommandFailure) -> CommandResult {
        let id = try OutboxArgument.id(id)
        let ledger = try await settings.configuration().openUsedLedger(for: .reading)
        let json = try await ledger.existing(id).detailedJSON
        return CommandResult(text: json.lines(), json: json)
    }
}

struct OutboxRetry: InstallationCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Retry entries now, parked or not, with the full number of attempts.",
        discussion: "A running service picks them up within seconds."
    )

    @OptionGroup var common: CommonOptions
    @OptionGroup var selection: OutboxSelection

    func perform() async throws(CommandFailure) -> CommandResult {
        try await selection.carryOut("retried", settings) { installation, id throws(CommandFailure) in
            let isKnown = try await CommandFailure.asking(await installation.ledger.retry(id, at: installation.now()))
            guard isKnown || selection.parked else { throw CommandFailure(.no, OutboxArgument.unknown(id)) }
        }
    }
}

struct OutboxRemove: InstallationCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Delete parked entries; they are never delivered."
    )

    @OptionGroup var common: CommonOptions
    @OptionGroup var selection: OutboxSelection

    func perform() async throws(CommandFailure) -> CommandResult {
        try await selection.carryOut("removed", settings, onlyParked: true) {
            installation, id throws(CommandFailure) in
            try await CommandFailure.asking(await installation.ledger.remove(id))
        }
    }
}

struct OutboxSelection: ParsableArguments {
    @Argument(help: "The ids of entries, as shown by `outbox list`.")
    var ids: [String] = []
    @Flag(help: "Every parked entry, instead of ids.")
    var parked = false

    /// Does something to each. All are looked up first: an id that is wrong changes nothing.
    fileprivate func carryOut(
        _ verb: String, _ settings: SettingOptions, onlyParked: Bool = false,
        _ work: (Installation, OutboxID) async throws(CommandFailure) -> Void
    ) async throws(CommandFailure) -> CommandResult {
        guard parked != !ids.isEmpty else { throw CommandFailure(.usage, "give ids or --parked") }
        var wanted: [OutboxID] = []
        for text in ids { wanted.append(try OutboxArgument.id(text)) }
        let installation = try await Installation.open(settings.configuration())
        for id in wanted {
            let found = try await installation.ledger.existing(id)
            guard found.isParked || !onlyParked else {
                throw CommandFailure(.no, "\(id) is not parked: it is still attempted")
            }
        }
        if parked { wanted = try await installation.parkedWork() }
        for id in wanted { try await work(installation, id) }
        let lines = wanted.map { "\(verb.prefix(1).uppercased() + verb.dropFirst()): \($0)\n" }.joined()
        return CommandResult(
            text: wanted.isEmpty ? "Nothing is parked.\n" : lines,
            json: [verb: .array(wanted.map { .string($0.text) })])
    }
}

extension Installation {
    fileprivate func parkedWork() async throws(CommandFailure) -> [OutboxID] {
        var found: [OutboxID] = []
        var query = OutboxQuery(isParked: true, limit: 1_000)
        repeat {
            let page = try await CommandFailure.asking(await ledger.outbox(query))
            found += page.elements.map(\.id)
            query.after = page.next
        } while query.after != nil
        return found
    }
}

private enum OutboxArgument {
    static func id(_ text: String) throws(CommandFailure) -> OutboxID {
        guard let id = OutboxID(text) else {
            throw CommandFailure(.usage, "an id has 1 to \(OutboxID.maximumCount) characters of a-z 0-9 - _")
        }
        return id
    }

    static func unknown(_ id: OutboxID) -> String { "no outbox entry has the id \(id)" }
}

extension Outbox {
    fileprivate func existing(_ id: OutboxID) async throws(CommandFailure) -> OutboxWork {
        try await CommandFailure.asking(await work(id)).found(or: OutboxArgument.unknown(id))
    }
}

extension OutboxWork {
    fileprivate var line: String {
        let (word, time) =
            switch state {
            case .pending(let time): ("pending, due", time)
            case .parked(let time): ("parked", time)
            }
        let reason = failure.map { "  \($0.printable)" } ?? ""
        return
            "\(createdAt.iso8601)  \(id)  \(account?.text ?? "-")  \(word) \(time.iso8601), attempts \(attempts)\(reason)\n"
    }
}
