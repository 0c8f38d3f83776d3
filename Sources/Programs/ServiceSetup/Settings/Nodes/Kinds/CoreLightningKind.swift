import CoreLightning
package import LightningCoding
package import ResponderModel

/// Core Lightning, through its socket or clnrest.
package struct CoreLightningKind: NodeKind {
    package static let word = "core-lightning"

    private static let socket = Setting<String?>("socket", "The path of lightningd's JSON-RPC socket.")
    private static let runeFile = Setting<String?>("rune-file", "A file with a rune.")
    private static let offers = Setting<Offers>(
        "offers", standard: .built, "Who makes the accounts' offers: the service (built) or the node (own).")

    package static let rows: [any SettingRow] = [socket, NodeKeys.url, runeFile, NodeKeys.certificateFile, offers]

    let configuration: CoreLightningConfiguration

    enum Offers: String, CaseIterable, SettingValue {
        /// We do: their invoices are built here from the node's BOLT11 invoices.
        case built
        /// The node does.
        case own
    }

    package init(_ fields: SectionFields) throws(ConfigurationFaults) {
        let transport: CoreLightningConfiguration.Transport =
            switch (fields[Self.socket], fields[NodeKeys.url]) {
            case (let path?, nil): try Self.socket(path, fields)
            case (nil, _?):
                .rest(
                    url: try fields.urlOfNode(), runePath: try fields.required(Self.runeFile),
                    certificatePath: fields[NodeKeys.certificateFile])
            default: throw fields.section.fault("needs one of socket and url")
            }
        configuration = CoreLightningConfiguration(
            transport: transport, usesOwnOffers: fields[Self.offers] == .own, limits: CallLimits(behind: fields.load))
    }

    package var buildsOffers: Bool { !configuration.usesOwnOffers }

    private static func socket(
        _ path: String, _ fields: SectionFields
    ) throws(ConfigurationFaults) -> CoreLightningConfiguration.Transport {
        try fields.refuse([runeFile, NodeKeys.certificateFile], "applies only with url")
        return .socket(path: path)
    }

    package func connect(clock: @escaping WallClock) throws(BackendFault) -> any ReceiveBackend {
        try CoreLightningBackend(configuration)
    }
}
