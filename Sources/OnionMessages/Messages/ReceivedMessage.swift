public import BlindedPaths
public import LightningCoding
public import LightningCrypto

/// A message at the end of its way.
public struct ReceivedMessage: Equatable, Sendable {
    /// What the node knows the path by, when it made one and the message came over it; compared in constant time. Everybody
    /// can send without one, and everybody who has a path can send over it.
    public let pathID: SecretBytes?
    /// The way for an answer.
    public let replyPath: BlindedPath?
    /// What it is about; nil when it is about nothing that is known here.
    public let content: MessageContent?
    /// Records of odd types that nobody here knows.
    public let unknownRecords: [TLVRecord]

    /// A message of these parts.
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
