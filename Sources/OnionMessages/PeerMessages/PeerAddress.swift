public import LightningCoding
public import LightningCrypto

/// How a node is reached: `<node id>@host:port`.
public struct PeerAddress: Hashable, Sendable, CustomStringConvertible {
    /// The port at which a node listens unless it says otherwise (BOLT 1, "Connection Handling").
    public static let usualPort: UInt16 = 9735

    /// Whom we want to meet there.
    public let nodeID: PublicKey
    /// Where.
    public let host: ListenAddress

    /// An address of its parts.
    public init(nodeID: PublicKey, host: ListenAddress) {
        self.nodeID = nodeID
        self.host = host
    }

    /// Reads `<node id>@host:port`; without a port the usual one is meant.
    ///
    /// Throws `nodeID`, `host`, or `port` for a port of 0 or of no number.
    public init(_ text: some StringProtocol) throws(PeerAddressFault) {
        guard let at = text.firstIndex(of: "@"), let nodeID = try? PublicKey(hexadecimal: text[..<at]) else {
            throw .nodeID
        }
        let host = String(text[text.index(after: at)...])
        // A colon within brackets is one of an IPv6 address.
        let hasPort = host.last != "]" && host.contains(":")
        guard host.first == "[" || host.count(where: { $0 == ":" }) <= 1 else { throw .host(.invalidHost) }
        do {
            self.init(nodeID: nodeID, host: try ListenAddress(hasPort ? host : "\(host):\(Self.usualPort)"))
        } catch {
            throw error == .invalidPort ? .port : .host(error)
        }
        guard self.host.port > 0 else { throw .port }
    }

    /// `<node id>@host:port`
    public var description: String { "\(nodeID)@\(host)" }
}

/// Why a text is no address of a node.
public enum PeerAddressFault: Error, Hashable, Sendable {
    /// What stands before the `@` is no node id of 66 hexadecimal digits.
    case nodeID
    /// What stands behind it is no host.
    case host(URLFault)
    /// The port is no number from 1 to 65535.
    case port
}
