import HookBackend
package import LightningCoding
package import ResponderModel

/// Any node, through a service or program that implements the hook contract.
package struct HookKind: NodeKind {
    package static let word = "hook"

    package static let rows: [any SettingRow] = [
        NodeKeys.url, HookAddress.tokenFile, NodeKeys.certificateFile, NodeKeys.webhookSecretFile,
    ]
    package static let nested = [HookAddress.command]

    let address: HookAddress
    package let webhookSecretFile: String?

    package init(_ fields: SectionFields) throws(ConfigurationFaults) {
        address = try HookAddress(fields)
        webhookSecretFile = fields[NodeKeys.webhookSecretFile]
        // A program is answered in its own output.
        if case .program = address, webhookSecretFile != nil {
            throw fields.section.fault("needs url for \(NodeKeys.webhookSecretFile.key): a program posts no events")
        }
    }

    package func connect(
        bearing load: BackendLoad, clock: @escaping WallClock
    ) throws(BackendFault) -> any ReceiveBackend {
        switch address {
        case .service(let url, let tokenFile, let certificateFile):
            return try HookedNode(
                url, tokenPath: tokenFile, certificateAuthorities: certificateFile,
                events: webhookSecretFile.map { ($0, clock) }, limits: CallLimits(behind: load))
        case .program(let command):
            return try rethrowing(
                HookedNode(
                    running: command, environment: ProcessEnvironment.forPrograms, limits: CallLimits(behind: load)),
                as: BackendFault.refused("no program is named"))
        }
    }
}
