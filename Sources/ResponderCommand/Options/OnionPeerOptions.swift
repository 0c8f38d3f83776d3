import ArgumentParser
import Installing

/// The flags of our own Lightning peer.
struct OnionPeerOptions: ParsableArguments {
    @Option(help: ArgumentHelp(SettingTable.onionPeerConnect))
    var onionPeerConnect: String?
    @Option(help: ArgumentHelp(SettingTable.onionPeerConnections))
    var onionPeerConnections: String?
    @Option(help: ArgumentHelp(SettingTable.onionPeerListen))
    var onionPeerListen: String?
    @Option(help: ArgumentHelp(SettingTable.onionPeerMaximumIncoming))
    var onionPeerMaximumIncoming: String?
    @Option(help: ArgumentHelp(SettingTable.onionPeerProxy))
    var onionPeerProxy: String?
    @Option(help: ArgumentHelp(SettingTable.onionPeerAddresses))
    var onionPeerAddresses: String?

    /// What was given.
    var pairs: [(any SettingRow, String?)] {
        [
            (SettingTable.onionPeerConnect, onionPeerConnect),
            (SettingTable.onionPeerConnections, onionPeerConnections),
            (SettingTable.onionPeerListen, onionPeerListen),
            (SettingTable.onionPeerMaximumIncoming, onionPeerMaximumIncoming),
            (SettingTable.onionPeerProxy, onionPeerProxy), (SettingTable.onionPeerAddresses, onionPeerAddresses),
        ]
    }
}
