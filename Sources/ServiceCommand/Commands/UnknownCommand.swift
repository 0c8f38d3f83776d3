import ArgumentParser
import ServiceSetup
import LightningCoding

/// A word that stands where the name of a command belongs, and is none.
struct UnknownCommand: Hashable, Sendable {
    let word: String
    /// The command that was perhaps meant, with those that it belongs to.
    let suggestion: String?

    /// Finds such a word in a command line; nil when there is none.
    ///
    /// The parser itself would take the word for an argument of the default command.
    init?(in arguments: [String], of root: any ParsableCommand.Type) {
        var command = root
        var path: [String] = []
        for argument in arguments {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty, !argument.hasPrefix("-"), !(path.isEmpty && argument == "help") else {
                return nil
            }
            guard let next = subcommands.first(where: { $0._commandName == argument }) else {
                word = (path + [argument]).joined(separator: " ")
                suggestion = NearestName.to(argument, among: subcommands.map { $0._commandName })
                    .map { (path + [$0]).joined(separator: " ") }
                return
            }
            command = next
            path.append(argument)
        }
        return nil
    }

    /// What is said of it.
    var failure: CommandFailure {
        CommandFailure(
            .usage,
            "there is no command \(word.printable)" + (suggestion.map { "; did you mean \($0)?" } ?? "; see --help"))
    }
}
