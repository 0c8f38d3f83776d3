public import LightningCoding

extension OnionFault: ReadableFault {
    /// The text for the operator.
    public var reason: String {
        switch self {
        case .tooShort: "it ends too early"
        case .unknownVersion(let version): "its version \(version) is unknown"
        case .invalidPathKey, .invalidPublicKey: "a key in it is not a public key"
        case .badAuthenticationCode: "it is for another node, or was modified"
        case .payloadOutOfBounds: "the length of its payload is wrong"
        case .spelling(let fault): "its payload cannot be read: \(fault.reason)"
        case .unknownEvenType(let type): "record \(type) is unknown and mandatory"
        case .invalidReplyPath: "its reply path is malformed"
        case .severalContents: "it has more than one content"
        case .noRecipientData, .furtherFieldsBeforeTheEnd: "its instructions are missing, or mixed with other fields"
        case .recipientData: "its instructions cannot be read"
        case .order: "its instructions cannot be followed"
        case .loop: "it leads to the same node too often"
        case .unusableKey: "a key in it is unusable"
        }
    }
}

extension OnionBuildingFault: ReadableFault {
    /// The text for the operator.
    public var reason: String {
        switch self {
        case .noLayers: "it has no recipient"
        case .payloadTooShort: "its payload is too short"
        case .invalidRecords: "its records repeat one another"
        case .tooLong: "it does not fit into an onion message"
        case .noRandomness: "the system has no random bytes"
        case .unusableKey: "a key is unusable"
        }
    }
}

extension MessageRoutes.Fault: ReadableFault {
    /// The text for the operator.
    public var reason: String {
        switch self {
        case .tooManyHops: "the path has too many hops"
        case .endsHere: "the path ends at our own node"
        case .unknownChannel(let channel): "the path begins at channel \(channel), which is unknown"
        case .path(let fault): "the path begins at our own node, and leads nowhere: \(fault.reason)"
        }
    }
}

extension PeerMessageFault: ReadableFault {
    /// The text for the operator and the peer.
    public var reason: String {
        switch self {
        case .noType: "it has no type"
        case .truncated(let type): "type \(type.number) ends too early"
        case .unknownEven(let type): "type \(type.number) is unknown"
        case .initialExtension: "the extension of init cannot be read"
        case .unknownInitialRecord(let type): "record \(type) of init is unknown"
        }
    }
}

extension HandshakeFault: ReadableFault {
    /// The text for the operator.
    public var reason: String {
        switch self {
        case .length(let act): "act \(act.rawValue) has a wrong length"
        case .version(let act, let found): "act \(act.rawValue) has the unknown version \(found)"
        case .key(let act): "the key of act \(act.rawValue) is not a public key"
        case .ciphertext: "the encrypted key is not authentic"
        case .tag(let act): "act \(act.rawValue) is not authentic"
        case .cipherUnavailable: "the system's ciphers are not available"
        }
    }
}

extension TransportFault: ReadableFault {
    /// The text for the operator.
    public var reason: String {
        switch self {
        case .handshake(let fault): "the handshake failed: \(fault.reason)"
        case .tag: "a message is not authentic"
        case .messageTooLong: "a message is longer than 65535 bytes"
        case .order: "bytes arrived out of order"
        }
    }
}
