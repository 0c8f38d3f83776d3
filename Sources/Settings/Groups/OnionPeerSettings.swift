package import LightningCoding
package import OnionMessages

/// Our own Lightning peer.
package struct OnionPeerSettings: SettingGroup {
    package let connect = Setting<[PeerAddress]>(
        "onion-peer.connect",
        standard: [],
        "Lightning nodes to be connected with: requests for offers reach us through them, and offers name them."
    )
    package let connections = Setting<UInt64>(
        "onion-peer.connections",
        standard: 1,
        in: 1...8,
        "Connections with each of these nodes, each with a key of its own: some take four messages a second from each."
    )
    package let listen = Setting<ListenAddress?>(
        "onion-peer.listen",
        "Where other Lightning nodes may connect to us; nowhere unless it is set."
    )
    package let maximumIncoming = Setting<UInt64>(
        "onion-peer.maximum-incoming",
        standard: 100,
        in: 1...10_000,
        "The most connections that others may hold with us."
    )
    package let proxy = Setting<ListenAddress?>(
        "onion-peer.proxy",
        "A SOCKS 5 proxy for all connections with Lightning nodes, such as Tor's 127.0.0.1:9050; it looks up all names."
    )
    package let addresses = Setting<[PeerAddress]>(
        "onion-peer.addresses",
        standard: [],
        "Where other Lightning nodes are, for answers that nobody else can carry to them."
    )
}
