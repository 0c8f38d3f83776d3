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

    let access: Access
    let offers: Offers

    enum Access: Hashable {
        case socket(path: String)
        case rest(HTTPURL, runeFile: String, certificateFile: String?)
    }

    enum Offers: String, CaseIterable, SettingValue {
        /// We do: their invoices are built here from the node's BOLT11 invoices.
        case built
        /// The node does.
        case own
    }

    package init(_ fields: SectionFields) throws(ConfigurationFaults) {
        offers = fields[Self.offers]
        switch (fields[Self.socket], fields[NodeKeys.url]) {
        case (let path?, nil): access = .socket(path: path)
        case (nil, _?):
            access = .rest(
                try fields.urlOfNode(), runeFile: try fields.required(Self.runeFile),
                certificateFile: fields[NodeKeys.certificateFile])
        default: throw fields.section.fault("needs one of socket and url")
        }
    }

    package func connect(
        bearing load: BackendLoad, clock: @escaping WallClock
    ) throws(BackendFault) -> any ReceiveBackend {
        let transport: CoreLightningConfiguration.Transport =
            switch access {
            case .socket(let path): .socket(path: path)
            case .rest(let url, let runeFile, let certificateFile):
                .rest(url: url, runePath: runeFile, certificatePath: certificateFile)
            }
        return try CoreLightningBackend(
            CoreLightningConfiguration(
                transport: transport, offers: offers == .built ? .builtHere : .ownOffers,
                limits: CommandLimits(behind: load)))
    }
}
