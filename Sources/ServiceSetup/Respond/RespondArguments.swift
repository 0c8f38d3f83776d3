import Settings

/// The command line of `lightning-responder respond`, parsed without a library, for a fast start and a small binary.
package struct RespondArguments: Hashable, Sendable {
    /// The file that holds the notification; `-` stands for standard input.
    package private(set) var notification = ""
    /// Its account; nil for the only one.
    package private(set) var account: String?
    /// Whether the reply is printed instead of posted.
    package private(set) var isDryRun = false
    /// Whether JSON is printed instead of text.
    package private(set) var isJSON = false
    /// Whether to print the help only.
    package private(set) var wantsHelp = false
    /// Whether to print the version only.
    package private(set) var wantsVersion = false
    /// The configuration file.
    package private(set) var configuration: String?
    /// Settings given as flags, by key.
    package private(set) var settings: [String: String] = [:]

    /// Parses the words after the command's name.
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
        guard value == nil else { throw Self.usage("--\(name) takes no value") }
        return true
    }

    private mutating func take(_ name: String, _ value: String) throws(CommandFailure) {
        switch name {
        case "notification": notification = value
        case "account": account = value
        case "config": configuration = value
        default:
            guard let setting = SettingTable.rows.first(where: { $0.flagName == name }) else {
                throw Self.usage("there is no option --\(name); see --help")
            }
            settings[setting.key] = value
        }
    }

    private static func usage(_ reason: String) -> CommandFailure { CommandFailure(.usage, reason) }
}
