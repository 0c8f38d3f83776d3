public import LightningCoding
public import LightningCrypto

/// A host and a port: `127.0.0.1:9735`, `[::1]:9735`, `node.example:9735`, `….onion:9735`.
public struct PeerHost: Hashable, Sendable, CustomStringConvertible {
    /// The port that a Lightning node listens at unless it says otherwise (BOLT 1, "Connection Handling").
    public static let usualPort: UInt16 = 9735

    /// A name or an address; an IPv6 address without brackets.
    public let host: String
    /// The TCP port; where to listen, 0 lets the system choose a free one.
    public let port: UInt16

    /// Parts that are known to be right.
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Reads `host:port`, or `host` alone for the usual port.
    ///
    /// Throws the fault of the host as in a URL, or `URLFault.invalidPort`.
    public init(_ text: some StringProtocol) throws(URLFault) {
        let (name, digits) = Self.parts(Substring(text))
        let url = try HTTPURL("http://\(name)")
        // Nothing but a host may stand there.
        guard url.authority == name.lowercased() else { throw .invalidHost }
        host = url.host
        guard let digits else {
            port = Self.usualPort
            return
        }
        guard (1...5).contains(digits.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(digits)
        else { throw .invalidPort }
        self.port = port
    }

    private static func parts(_ text: Substring) -> (name: Substring, port: Substring?) {
        guard let colon = text.lastIndex(of: ":"), text.last != "]" else { return (text, nil) }
        return (text[..<colon], text[text.index(after: colon)...])
    }

    /// `host:port`, with brackets around an IPv6 address.
    public var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

/// How a node is reached: `<node id>@host:port`.
public struct PeerAddress: Hashable, Sendable, CustomStringConvertible {
    /// Whom we want to meet there.
    public let nodeID: PublicKey
    /// Where.
    public let host: PeerHost

    /// An address of its parts.
    public init(nodeID: PublicKey, host: PeerHost) {
        self.nodeID = nodeID
        self.host = host
    }

    /// Reads `<node id>@host:port`; the port may be left out.
    ///
    /// Throws `nodeID`, `host`, or `port` for a port of 0 or of no number.
    public init(_ text: some StringProtocol) throws(PeerAddressFault) {
        guard let at = text.firstIndex(of: "@"), let nodeID = try? PublicKey(hexadecimal: text[..<at]) else {
            throw .nodeID
        }
        do {
            self.init(nodeID: nodeID, host: try PeerHost(text[text.index(after: at)...]))
        } catch {
            throw error == .invalidPort ? .port : .host(error)
        }
        guard host.port > 0 else { throw .port }
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
