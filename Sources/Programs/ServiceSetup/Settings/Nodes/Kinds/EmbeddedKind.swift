package import ResponderModel
package import LightningCoding

/// The node without a network, whose key and invoices are in the data folder; at most one can exist. Configured by the
/// settings `embedded`.
package struct EmbeddedKind: NodeKind {
    package static let word = "embedded"
    package static let rows: [any SettingRow] = []
    package static let isRemote = false

    init() {}

    package init(_ fields: SectionFields) throws(ConfigurationFaults) {}

    /// It runs in this process and is opened with the data folder.
    package func connect(clock: @escaping WallClock) throws(BackendFault) -> any ReceiveBackend {
        throw .refused("the embedded node was not started")
    }
}
