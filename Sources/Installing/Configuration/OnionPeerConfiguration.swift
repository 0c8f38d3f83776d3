package import LightningCoding
package import OnionMessages

/// How our own Lightning peer is set up.
package struct OnionPeerConfiguration: Hashable, Sendable {
    package let connect: [PeerAddress]
    package let connections: Int
    package let listen: ListenAddress?
    package let maximumIncoming: Int
    package let proxy: ListenAddress?
    package let addresses: [PeerAddress]

    /// Whether there is one.
    package var isOn: Bool { !connect.isEmpty || listen != nil }

    init(_ sources: SettingSources) throws(ConfigurationFaults) {
        connect = try sources.required(SettingTable.onionPeerConnect)
        connections = Int(clamping: try sources.required(SettingTable.onionPeerConnections))
        listen = try sources.value(SettingTable.onionPeerListen)
        maximumIncoming = Int(clamping: try sources.required(SettingTable.onionPeerMaximumIncoming))
        proxy = try sources.value(SettingTable.onionPeerProxy)
        addresses = try sources.required(SettingTable.onionPeerAddresses)
    }
}
