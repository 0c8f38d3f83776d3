import BlindedPaths
public import LightningCrypto

/// A message that expects an answer, with a reply path of its own.
public struct MessageQuestion: Sendable {
    /// The length in bytes of the path id that answers carry.
    public static let pathIDCount = 32

    /// The peer to which we send the message.
    public let firstNode: PublicKey
    /// The message.
    public let message: OnionMessage
    private let nodeKey: SecretKey
    private let pathID: SecretBytes

    /// Creates the message.
    ///
    /// - `route`: the route to the recipient.
    /// - `peer`: our peer at which the reply path begins.
    /// - `nodeKey`: the key by which that peer knows us.
    /// - `random`: gives all keys and the path id.
    ///
    /// Throws like `MessageRoute.message`.
    public init(
        _ content: MessageContent, over route: MessageRoute, answerThrough peer: PublicKey, to nodeKey: SecretKey,
        random: RandomSource
    ) throws(OnionBuildingFault) {
        let back: BlindedPath
        do {
            pathID = SecretBytes(try random(Self.pathIDCount))
            back = try MessagePath.route(
                to: nodeKey.publicKey, through: [MessagePath.Relay(nodeID: peer)], pathID: pathID
            ).blinded(secret: OnionBuildingFault.key(random))
        } catch let fault as OnionBuildingFault {
            throw fault
        } catch CryptoFault.entropyUnavailable {
            throw .noRandomness
        } catch {
            throw .unusableKey
        }
        self.nodeKey = nodeKey
        firstNode = route.firstNode
        message = try route.message(content, replyPath: back, random: random)
    }

    /// The answer in a received message; nil when it does not answer this question.
    public func answer(in message: OnionMessage) -> MessageContent? {
        guard case .received(let received)? = try? message.peeled(by: nodeKey) else { return nil }
        return answer(in: received)
    }

    /// The same for a message that was already peeled.
    public func answer(in received: ReceivedMessage) -> MessageContent? {
        // Constant time.
        guard received.pathID == pathID else { return nil }
        return received.content
    }
}
