package import ResponderModel

/// The command line of `lightning-responder respond`, parsed without a library, for a fast start and a small binary.
package struct RespondArguments: Hashable, Sendable {
    /// The file that holds the notification; `-` stands for standard input.
    package private(set) var notification = ""
    /// Its account; nil for the only one.
    package private(set) var account: String?
    /// Whether the reply is printed instead of posted.
    package private(set) var isDryRun = false
    package private(set) var isJSON = false
    package private(set) var wantsHelp = false
    package private(set) var wantsVersion = false
    package private(set) var configuration: String?
    /// Settings given as flags, by key.
    package private(set) var settings: [String: String] = [:]

    package init(_ words: [String]) throws(CommandFailure) {
        var words = words[...]
        while let word = words.popFirst() {
            guard word.hasPrefix("--"), word != "--" else {
                guard word == "-h" else { throw Self.usage("unexpected: \(word)") }
                wantsHelp = true
                continue
            }
            let equals = word.firstIndex(of: "=")
            let name = String(word[word.index(word.startIndex, offsetBy: 2)..<(equals ?? word.endIndex)])
            let attached = equals.map { String(word[word.index(after: $0)...]) }
            if try takeFlag(name, attached) { continue }
            guard let value = attached ?? words.popFirst() else { throw Self.usage("--\(name) needs a value") }
            try take(name, value)
        }
        guard wantsHelp || wantsVersion || !notification.isEmpty else { throw Self.usage("--notification is missing") }
    }

    /// Takes an option without a value; false when it is not one.
    private mutating func takeFlag(_ name: String, _ value: String?) throws(CommandFailure) -> Bool {
        let setting = SettingTable.rows.first { $0.flagName == name && $0.isFlag }
        switch name {
        case "dry-run": isDryRun = true
        case "json": isJSON = true
        case "help": wantsHelp = true
        case "version": wantsVersion = true
        default:
            guard let setting else { return false }
            settings[setting.key] = "true"
        }
        guard value == nil else { throw Self.usage("--\(name) does not take a value") }
        return true
    }

    private mutating func take(_ name: String, _ value: String) throws(CommandFailure) {
        switch name {
        case "notification": notification = value
        case "account": account = value
        case "config": configuration = value
        default:
            guard let setting = SettingTable.rows.first(where: { $0.flagName == name }) else {
                throw Self.usage("unknown option --\(name); see --help")
            }
            settings[setting.key] = value
        }
    }

    private static func usage(_ reason: String) -> CommandFailure { CommandFailure(.usage, reason) }
}

package enum RespondHelp {
    package static let abstract = "Answer one notification, post the reply, and exit."

    package static let discussion = """
        Reads a notification as received (a webhook's body, or a push message's data as JSON), answers it, posts the reply to \
        the notification's reply URL, and records both in the ledger's event log. Any number may run in parallel, \
        also beside the service, on the same data folder.

        Exits with 0 if the reply was accepted, or if none was needed and all work is done; with 1 if the reply \
        is an error, such as an unknown invoice, or was refused for good; with 75 if it is unknown whether it \
        was accepted; with 69 if a later retry may help. Without --account, the only account is used; \
        if there is none, alice is created, with the embedded node.
        """

    package static let options: [(form: String, meaning: String)] = [
        ("--notification FILE", "The notification; - reads standard input."),
        ("--account NAME", "The account (default: the only one)."),
        (
            "--dry-run",
            "Show the reply instead of posting it, and record no event. An invoice created for it stays in the ledger."
        ),
        ("--json", "Print one JSON object instead of text; failures too, as {\"error\":{…}}."),
        ("--config FILE", "A YAML file with settings; also RESPONDER_CONFIG."),
        ("--version", "Show the version."),
        ("-h, --help", "Show this."),
    ]

    package static var text: String {
        let own = options.map { "  \($0.form)\n        \($0.meaning)\n" }.joined()
        let settings = SettingTable.rows.map { row in
            let value = row.isFlag ? "" : " <\(row.form)>"
            return "  --\(row.flagName)\(value)\n        \(row.help)\n"
        }
        return "OVERVIEW: \(abstract)\n\n\(discussion)\n\nUSAGE: lightning-responder respond --notification <file> "
            + "[--account <name>] [--dry-run] [--json]\n\nOPTIONS:\n\(own)\nSETTINGS:\n\(settings.joined())"
    }
}

extension Installation {
    /// The account to use: the named one, or the only one; `alice` is created when there is none.
    package func meantAccount(_ name: String?) async throws(CommandFailure) -> AccountID {
        if let name { return try await existingAccount(named: id(of: AccountArgument(name))).id }
        let accounts = try await CommandFailure.asking(await ledger.accounts().map(\.id))
        guard accounts.count <= 1 else {
            throw CommandFailure(.usage, "there are \(accounts.count) accounts; choose one with --account")
        }
        if let only = accounts.first { return only }
        return try await addIfMissing(id(of: AccountArgument("alice"))).id
    }
}
