package import Nodes
import HookBackend
import LightningCoding
package import Contracts

/// Any node, through a service or program that implements the hook contract.
package struct HookKind: NodeKind {
    package static let word = "hook"

    private static let tokenFile = Setting<String?>("token-file", "A file with the token for the hook.")
    private static let command = "command"
    private static let commandWord = Setting<String?>(command, "The program, or one of its arguments.")

    package static let rows: [any SettingRow] = [
        NodeKeys.url, tokenFile, NodeKeys.certificateFile, NodeKeys.webhookSecretFile,
    ]
    package static let nested = [command]

    let transport: Transport

    enum Transport: Hashable {
        case service(HTTPURL, tokenFile: String?, certificateFile: String?, webhookSecretFile: String?)
        /// A program run as a child process.
        case program([String])
    }

    package init(_ fields: SectionFields) throws(ConfigurationFaults) {
        switch (fields[NodeKeys.url], fields[nested: Self.command]) {
        case (let url?, nil):
            transport = .service(
                fields[Self.tokenFile] == nil ? url : try fields.urlOfNode(), tokenFile: fields[Self.tokenFile],
                certificateFile: fields[NodeKeys.certificateFile],
                webhookSecretFile: fields[NodeKeys.webhookSecretFile])
        case (nil, let command?): transport = .program(try Self.words(of: command))
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

    package func connect(bearing load: BackendLoad) throws(BackendFault) -> any ReceiveBackend {
        switch transport {
        case .service(let url, let tokenFile, let certificateFile, let webhookSecretFile):
            return try HookedNode(
                url, tokenPath: tokenFile, certificateAuthorities: certificateFile,
                webhookSecretPath: webhookSecretFile, limits: CallLimits(behind: load))
        case .program(let command):
            return try rethrowing(
                HookedNode(
                    running: command, environment: ProcessEnvironment.forPrograms, limits: CallLimits(behind: load)),
                as: BackendFault.refused("no program is named"))
        }
    }
}
