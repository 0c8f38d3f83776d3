import ServiceSetup
import Settings
import ArgumentParser
import LightningCoding

/// An unknown word where a command's name is expected.
struct UnknownCommand: Hashable, Sendable {
    let word: String
    /// The command probably meant, with its parent commands.
    let suggestion: String?

    /// Finds such a word in a command line; nil when there is none.
    ///
    /// The parser would take the word for an argument of the default command.
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

    /// The error message.
    var failure: CommandFailure {
        CommandFailure(
            .usage,
            "there is no command \(word.printable)" + (suggestion.map { "; did you mean \($0)?" } ?? "; see --help"))
    }
}
