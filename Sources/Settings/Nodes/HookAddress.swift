package import LightningCoding

/// How a hook is reached.
package enum HookAddress: Hashable, Sendable {
    /// A service.
    case service(HTTPURL, tokenFile: String?, certificateFile: String?)
    /// A program, run as a child process, and its arguments.
    case program([String])

    static let tokenFile = Setting<String?>("token-file", "A file with the token for the hook.")
    static let command = "command"
    private static let commandWord = Setting<String?>(command, "The program, or one of its arguments.")

    /// Reads `url`, with `token-file` and `certificate-file`, or `command`.
    init(_ fields: SectionFields) throws(ConfigurationFaults) {
        switch (fields[NodeKeys.url], fields[nested: Self.command]) {
        case (let url?, nil):
            self = .service(
                fields[Self.tokenFile] == nil ? url : try fields.urlOfNode(), tokenFile: fields[Self.tokenFile],
                certificateFile: fields[NodeKeys.certificateFile])
        case (nil, let command?): self = .program(try Self.words(of: command))
        default: throw fields.section.fault("needs one of url and command")
        }
    }

    private static func words(of command: SectionNode) throws(ConfigurationFaults) -> [String] {
        var words: [String] = []
        for element in try command.elements() {
            if let word = try element.value(as: commandWord) { words.append(word) }
        }
        guard !words.isEmpty else { throw command.fault("must name a program") }
        return words
    }
}
