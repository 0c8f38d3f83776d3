import LND
package import LightningCoding
package import ResponderModel

/// LND, through its REST interface.
package struct LNDKind: NodeKind {
    package static let word = "lnd"

    private static let macaroonFile = Setting<String?>("macaroon-file", "A file with a macaroon, as LND writes it.")
    private static let bolt12 = Setting<Bolt12>(
        "bolt12", standard: .off, "Whether offers can be paid; needs LND v0.18.3 or later.")

    package static let rows: [any SettingRow] = [NodeKeys.url, macaroonFile, NodeKeys.certificateFile, bolt12]

    let configuration: LNDConfiguration

    /// Offers are enabled by an operator who knows that the LND version supports them.
    private enum Bolt12: String, CaseIterable, SettingValue {
        case off
        case on
    }

    package init(_ fields: SectionFields) throws(ConfigurationFaults) {
        configuration = LNDConfiguration(
            url: try fields.urlOfNode(), macaroonPath: try fields.required(Self.macaroonFile),
            certificatePath: fields[NodeKeys.certificateFile], answersOffers: fields[Self.bolt12] == .on,
            limits: CallLimits(behind: fields.load))
    }

    package var buildsOffers: Bool { configuration.answersOffers }

    package func connect(clock: @escaping WallClock) throws(BackendFault) -> any ReceiveBackend {
        try LNDBackend(configuration)
    }
}
