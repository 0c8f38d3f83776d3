import BlindedPaths
public import LightningCrypto

/// A message to which we wait for an answer, over a way back that nobody else has.
public struct MessageQuestion: Sendable {
    /// The length of the path id that its answers carry, in bytes.
    public static let pathIDCount = 32

    /// The peer that gets the message from us.
    public let firstNode: PublicKey
    /// The message.
    public let message: OnionMessage
    private let nodeKey: SecretKey
    private let pathID: SecretBytes

    /// Asks.
    ///
    /// - `route`: the way there.
    /// - `peer`: the peer of ours at which the way back begins.
    /// - `nodeKey`: by which that peer knows us.
    /// - `random`: gives all keys, and the path id.
    ///
    /// Throws as `MessageRoute.message` does.
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

    /// What a message that came in answers; nil when it is no answer to this question, whatever else it is.
    public func answer(in message: OnionMessage) -> MessageContent? {
        guard case .received(let received)? = try? message.peeled(by: nodeKey) else { return nil }
        return answer(in: received)
    }

    /// The same for a message that was peeled already.
    public func answer(in received: ReceivedMessage) -> MessageContent? {
        // Constant time.
        guard received.pathID == pathID else { return nil }
        return received.content
    }
}
