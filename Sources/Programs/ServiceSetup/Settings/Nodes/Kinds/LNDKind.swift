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

    let url: HTTPURL
    let macaroonFile: String
    let certificateFile: String?
    /// Whether BOLT12 invoices are built from its BOLT11 invoices.
    let answersOffers: Bool

    /// Offers are enabled by an operator who knows that the LND version supports them.
    private enum Bolt12: String, CaseIterable, SettingValue {
        case off
        case on
    }

    package init(_ fields: SectionFields) throws(ConfigurationFaults) {
        url = try fields.urlOfNode()
        macaroonFile = try fields.required(Self.macaroonFile)
        certificateFile = fields[NodeKeys.certificateFile]
        answersOffers = fields[Self.bolt12] == .on
    }

    package func connect(
        bearing load: BackendLoad, clock: @escaping WallClock
    ) throws(BackendFault) -> any ReceiveBackend {
        try LNDBackend(
            LNDConfiguration(
                url: url, macaroonPath: macaroonFile, certificatePath: certificateFile, answersOffers: answersOffers,
                limits: CallLimits(behind: load)))
    }
}
