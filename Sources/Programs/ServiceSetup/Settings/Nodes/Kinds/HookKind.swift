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
    private let limits: CallLimits
    package let webhookSecretFile: String?

    package init(_ fields: SectionFields) throws(ConfigurationFaults) {
        address = try HookAddress(fields)
        limits = CallLimits(behind: fields.load)
        webhookSecretFile = fields[NodeKeys.webhookSecretFile]
        if case .program = address {
            try fields.refuse([NodeKeys.webhookSecretFile], "applies only with url: a program posts no events")
        }
    }

    package func connect(clock: @escaping WallClock) throws(BackendFault) -> any ReceiveBackend {
        try HookedNode(at: address, events: webhookSecretFile.map { ($0, clock) }, limits: limits)
    }
}
