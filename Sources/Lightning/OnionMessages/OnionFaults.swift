public import BlindedPaths
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
        case .encoding(let fault): "its payload cannot be read: \(fault.reason)"
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

/// Why an onion message cannot be created.
public enum OnionBuildingFault: Error, NamedRule, Hashable, Sendable {
    /// There are no nodes to send it to.
    case noLayers
    /// A payload of less than 2 bytes.
    case payloadTooShort
    /// The unknown records repeat one another or a known one.
    case invalidRecords
    /// It does not fit into the largest or requested packet.
    case tooLong
    /// No random bytes are available.
    case noRandomness
    /// A derived key is invalid (negligible probability).
    case unusableKey
}

/// Why an onion message is ignored, in the order of the checks (BOLT 4, "Onion Messages"). The sender is never told.
public enum OnionFault: Error, NamedRule, Hashable, Sendable {
    /// The message is truncated, or too short for a payload.
    case tooShort
    /// A packet of a version other than 0.
    case unknownVersion(UInt8)
    /// `path_key` is not a point.
    case invalidPathKey
    /// The packet's `public_key` is not a point.
    case invalidPublicKey
    /// The HMAC does not match: the message is for another node, or was modified.
    case badAuthenticationCode
    /// The length of the payload is not a bigsize, less than 2, or leaves no space for the next HMAC.
    case payloadOutOfBounds
    /// The payload is not a TLV stream.
    case encoding(CodingFault)
    /// A record of an unknown even type.
    case unknownEvenType(UInt64)
    /// `reply_path` is not a blinded path.
    case invalidReplyPath(BlindedPathFault)
    /// More than one of an invoice request, an invoice and an invoice error.
    case severalContents
    /// A node other than the last got no `encrypted_recipient_data`.
    case noRecipientData
    /// A node other than the last got fields besides `encrypted_recipient_data`.
    case furtherFieldsBeforeTheEnd
    /// The node cannot decrypt or parse its data.
    case recipientData(RecipientDataFault)
    /// The data gives no valid instruction.
    case order(MessageInstruction.Fault)
    /// The message is addressed to the same node more often than in any path of ours.
    case loop
    /// A derived key is invalid (negligible probability).
    case unusableKey
}

/// Why a peer's message cannot be parsed (BOLT 1). The connection is then closed.
public enum PeerMessageFault: Error, Hashable, Sendable {
    /// Fewer than the 2 bytes of a type.
    case noType
    /// A known message is truncated.
    case truncated(PeerMessageType)
    /// An unknown even type.
    case unknownEven(PeerMessageType)
    /// The extension of `init` is not a TLV stream.
    case initialExtension
    /// The extension of `init` contains a record of an unknown even type.
    case unknownInitialRecord(UInt64)
}

/// Why a handshake failed (BOLT 8, "Handshake Exchange"). The connection is then closed silently.
public enum HandshakeFault: Error, NamedRule, Hashable, Sendable {
    /// One of the three messages of a handshake.
    public enum Act: Int, Hashable, Sendable {
        /// From the initiator: an ephemeral key.
        case one = 1
        /// From the responder: an ephemeral key.
        case two = 2
        /// From the initiator: its static key, encrypted.
        case three = 3

        /// The length of the act in bytes.
        public var byteCount: Int { self == .three ? 66 : 50 }
    }

    /// The act does not have its length of 50, 50 or 66 bytes.
    case length(Act)
    /// The version of the act is not 0.
    case version(Act, found: UInt8)
    /// The key in the act is not a compressed point of the curve.
    case key(Act)
    /// The initiator's encrypted static key is not authentic.
    case ciphertext
    /// The authentication tag of the act is wrong.
    case tag(Act)
    /// The system does not provide the cipher.
    case cipherUnavailable
}

extension OnionFault {
    /// The name of the rule in vector files.
    public var rule: String {
        switch self {
        case .encoding(let fault): fault.rule
        case .furtherFieldsBeforeTheEnd: "further-fields"
        case .recipientData(let fault): fault.rule
        case .order(let fault): fault.rule
        default: caseName
        }
    }
}
