public import LightningCoding
public import LightningCrypto

/// The address of a node: `<node id>@host:port`.
public struct PeerAddress: Hashable, Sendable, CustomStringConvertible {
    /// The default port of a node (BOLT 1, "Connection Handling").
    public static let usualPort: UInt16 = 9735

    /// The expected node.
    public let nodeID: PublicKey
    /// Its host and port.
    public let host: ListenAddress

    /// Creates an address.
    public init(nodeID: PublicKey, host: ListenAddress) {
        self.nodeID = nodeID
        self.host = host
    }

    /// Parses `<node id>@host:port`; the port is optional.
    ///
    /// Throws `nodeID`, `host`, or `port` when the port is 0 or not a number.
    public init(_ text: some StringProtocol) throws(PeerAddressFault) {
        guard let at = text.firstIndex(of: "@"), let nodeID = try? PublicKey(hexadecimal: text[..<at]) else {
            throw .nodeID
        }
        let host = String(text[text.index(after: at)...])
        // A colon within brackets belongs to an IPv6 address.
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

/// Why a text is not the address of a node.
public enum PeerAddressFault: Error, Hashable, Sendable {
    /// The part before the `@` is not a node id of 66 hexadecimal digits.
    case nodeID
    /// The part after it is not a host.
    case host(URLFault)
    /// The port is not a number from 1 to 65535.
    case port
}
