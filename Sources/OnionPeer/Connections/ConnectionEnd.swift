public import OnionMessages

/// Why a connection has ended, or never came to be.
public enum ConnectionEnd: Error, Hashable, Sendable {
    /// We wanted it to.
    case closedByUs
    /// The other side has closed it, or the network has.
    case closedByPeer
    /// The other side could not be reached, or the connection broke.
    case network(NetworkFault)
    /// The proxy did not connect us.
    case proxy(ProxyFault)
    /// The system gives no random bytes for a handshake.
    case noRandomness
    /// It was not open in time.
    case openingTooSlow
    /// A ping was not answered in time.
    case noPong
    /// The bytes are not those of BOLT 8.
    case transport(TransportFault)
    /// A message that cannot be read, or must not be passed over.
    case message(PeerMessageFault)
    /// The first message was another one than `init`, or `init` came again.
    case noInit
    /// The other side demands a feature that is unknown here: its bit.
    case unknownFeature(Int)
    /// The other side is on other chains.
    case otherNetwork
    /// The other side has sent `error`, with this text.
    case error(String)
    /// More pings than anybody needs.
    case tooManyPings
    /// It has misbehaved not long ago, and is not let in again yet.
    case unwelcome
    /// There are as many connections as there may be.
    case full
    /// A newer connection with the same node took its place.
    case replaced

    /// Whether the other side has broken the rules, so that it is left alone for longer.
    public var isMisbehaviour: Bool {
        switch self {
        case .transport, .message, .noInit, .tooManyPings: true
        case .closedByUs, .closedByPeer, .network, .proxy, .noRandomness, .openingTooSlow, .noPong, .unknownFeature,
            .otherNetwork, .error,
            .unwelcome, .full, .replaced:
            false
        }
    }
}

extension ConnectionEnd: CustomStringConvertible {
    /// For the operator. What a peer wrote was made harmless when it was read.
    public var description: String {
        switch self {
        case .closedByUs: "closed here"
        case .closedByPeer: "closed by the peer"
        case .network(let fault): fault.reason
        case .proxy(let fault): fault.reason
        case .noRandomness: "the system gives no random bytes"
        case .openingTooSlow: "not open in time"
        case .noPong: "a ping was not answered"
        case .transport(.handshake(let fault)): "the handshake failed: \(fault.reason)"
        case .transport(let fault): "the encrypted bytes are wrong: \(fault.reason)"
        case .message(let fault): "a message cannot be used: \(fault.reason)"
        case .noInit: "the first message was not init, or init came again"
        case .unknownFeature(let bit): "the peer demands the unknown feature \(bit)"
        case .otherNetwork: "the peer is on another chain"
        case .error(let text): "the peer says: \(text)"
        case .tooManyPings: "too many pings"
        case .unwelcome: "it has misbehaved not long ago"
        case .full: "there are as many connections as there may be"
        case .replaced: "a newer connection took its place"
        }
    }
}
