import LightningCoding
package import OnionMessages

/// Why a connection ended or could not be opened.
package enum ConnectionEnd: Error, Hashable, Sendable {
    case closedByUs
    /// The peer or the network closed it.
    case closedByPeer
    /// The peer could not be reached, or the connection failed.
    case network(NetworkFault)
    /// The proxy did not connect us.
    case proxy(ProxyFault)
    /// The system provides no random bytes for a handshake.
    case noRandomness
    /// It did not open in time.
    case openingTooSlow
    /// A ping was not answered in time.
    case noPong
    /// The bytes violate BOLT 8.
    case transport(TransportFault)
    /// A message that cannot be parsed, or an unknown one that must not be ignored.
    case message(PeerMessageFault)
    /// The first message was not `init`, or `init` was repeated.
    case noInit
    /// The peer requires a feature unknown here: its bit.
    case unknownFeature(Int)
    case otherNetwork
    /// The peer sent `error`, with this text.
    case error(String)
    case tooManyPings
    /// It has misbehaved recently and is still banned.
    case unwelcome
    case full
    /// A newer connection with the same node replaced it.
    case replaced

    /// Whether the peer broke the rules, and so is avoided for longer.
    package var isMisbehavior: Bool {
        switch self {
        case .transport, .message, .noInit, .tooManyPings: true
        case .closedByUs, .closedByPeer, .network, .proxy, .noRandomness, .openingTooSlow, .noPong, .unknownFeature,
            .otherNetwork, .error,
            .unwelcome, .full, .replaced:
            false
        }
    }
}

extension ConnectionEnd: ReadableFault {
    /// For the operator. Text from peers was sanitized when it was parsed.
    package var reason: String {
        switch self {
        case .closedByUs: "closed here"
        case .closedByPeer: "closed by the peer"
        case .network(let fault): fault.reason
        case .proxy(let fault): fault.reason
        case .noRandomness: "the system has no random bytes"
        case .openingTooSlow: "not open in time"
        case .noPong: "a ping was not answered"
        case .transport(.handshake(let fault)): "the handshake failed: \(fault.reason)"
        case .transport(let fault): "the encrypted bytes are invalid: \(fault.reason)"
        case .message(let fault): "a message cannot be used: \(fault.reason)"
        case .noInit: "the first message was not init, or init was repeated"
        case .unknownFeature(let bit): "the peer requires the unknown feature \(bit)"
        case .otherNetwork: "the peer is on another chain"
        case .error(let text): "the peer says: \(text)"
        case .tooManyPings: "too many pings"
        case .unwelcome: "the peer recently misbehaved"
        case .full: "the maximum number of connections is reached"
        case .replaced: "a newer connection took its place"
        }
    }
}
