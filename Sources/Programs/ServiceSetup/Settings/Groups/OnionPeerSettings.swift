package import LightningCoding
package import OnionMessages

package struct OnionPeerSettings: SettingGroup {
    package let connect = Setting<[PeerAddress]>(
        "onion-peer.connect",
        standard: [],
        "Lightning nodes to connect to. Requests for offers arrive through them, and offers name them."
    )
    package let connections = Setting<UInt64>(
        "onion-peer.connections",
        standard: 1,
        in: 1...8,
        "Connections to each of these nodes, each with its own key: some nodes accept only four messages per second on each."
    )
    package let listen = Setting<ListenAddress?>(
        "onion-peer.listen",
        "The address at which other Lightning nodes may connect; none by default."
    )
    package let maximumIncoming = Setting<UInt64>(
        "onion-peer.maximum-incoming",
        standard: 100,
        in: 1...10_000,
        "The maximum number of incoming connections. One network may have an eighth; this machine, where a proxy may run, all."
    )
    package let proxy = Setting<ListenAddress?>(
        "onion-peer.proxy",
        "A SOCKS 5 proxy for all connections to Lightning nodes, such as Tor's 127.0.0.1:9050; it resolves all names."
    )
    package let addresses = Setting<[PeerAddress]>(
        "onion-peer.addresses",
        standard: [],
        "Addresses of other Lightning nodes, for answers that cannot be sent through connected ones."
    )
}
