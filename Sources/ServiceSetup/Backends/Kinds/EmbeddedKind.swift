package import Contracts
package import ResponderCore

/// The node without a network, whose key and invoices lie in the data folder; so there is one of it at most. It is set up by
/// the settings `embedded`.
package struct EmbeddedKind: NodeKind {
    package static let word = "embedded"
    package static let rows: [any SettingRow] = []
    package static let isRemote = false

    init() {}

    package init(_ fields: SectionFields) throws(ConfigurationFaults) {}

    /// It lives in this process and is opened with the data folder.
    package func connect(bearing load: BackendLoad) throws(BackendFault) -> any ReceiveBackend {
        throw .refused("the embedded node was not started")
    }
}
