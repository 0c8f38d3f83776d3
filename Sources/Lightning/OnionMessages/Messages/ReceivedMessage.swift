public import BlindedPaths
public import LightningCoding
public import LightningCrypto

/// A message that has reached its destination.
public struct ReceivedMessage: Equatable, Sendable {
    /// Identifies the path to the node that created it, if the message came over one; compared in constant time. Anyone
    /// can send without a path, and anyone who has a path can send over it.
    public let pathID: SecretBytes?
    /// The path for an answer.
    public let replyPath: BlindedPath?
    /// The content; nil when none is known here.
    public let content: MessageContent?
    /// Records of unknown odd types.
    public let unknownRecords: [TLVRecord]

    /// Creates a message.
    public init(
        pathID: SecretBytes?, replyPath: BlindedPath?, content: MessageContent?, unknownRecords: [TLVRecord] = []
    ) {
        self.pathID = pathID
        self.replyPath = replyPath
        self.content = content
        self.unknownRecords = unknownRecords
    }

    init(_ payload: MessagePayload, _ secret: HopSecret) throws(OnionFault) {
        var pathID: SecretBytes?
        if let sealed = payload.encryptedRecipientData {
            guard case .receive(let found) = try secret.opened(sealed).order(isFinal: true) else {
                throw .order(.noNextNode)
            }
            pathID = found
        }
        self.init(
            pathID: pathID, replyPath: payload.replyPath, content: payload.content,
            unknownRecords: payload.unknownRecords)
    }
}
