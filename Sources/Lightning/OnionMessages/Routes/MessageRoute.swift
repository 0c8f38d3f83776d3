public import BlindedPaths
import LightningCoding
public import LightningCrypto

/// A route from us to the end of a blinded path: through which peer the message is sent.
public struct MessageRoute: Hashable, Sendable {
    /// The path. It begins neither at our node nor at an unresolved channel.
    public let path: BlindedPath
    /// The introduction node of the path.
    public let introduction: PublicKey
    /// The peer that forwards the message to the introduction node; nil when that is our peer itself.
    public let relay: PublicKey?

    /// The peer to which we send the message.
    public var firstNode: PublicKey { relay ?? introduction }

    /// Creates the message for `firstNode`.
    ///
    /// For a relay, a hop of our own precedes the path: its data names the introduction node and the first path key of
    /// the path (`next_path_key_override`).
    ///
    /// - `random`: gives the session key and the secret of our own hop.
    ///
    /// Throws `tooLong`, `noRandomness` or `unusableKey`.
    public func message(
        _ content: MessageContent, replyPath: BlindedPath? = nil, random: RandomSource
    ) throws(OnionBuildingFault) -> OnionMessage {
        let sessionKey = try OnionBuildingFault.key(random)
        guard let relay else {
            return try OnionMessage(over: path, content: content, replyPath: replyPath, sessionKey: sessionKey)
        }
        let own = MessagePath.route(
            through: [MessagePath.Relay(nodeID: relay)], into: path, introduction: introduction)
        let whole: BlindedPath
        do {
            whole = try own.blinded(secret: OnionBuildingFault.key(random)).followed(by: path)
        } catch let fault as OnionBuildingFault {
            throw fault
        } catch {
            throw .unusableKey
        }
        return try OnionMessage(over: whole, content: content, replyPath: replyPath, sessionKey: sessionKey)
    }
}

extension OnionBuildingFault {
    /// A fresh key.
    static func key(_ random: RandomSource) throws(OnionBuildingFault) -> SecretKey {
        do {
            return try SecretKey(random: random)
        } catch .entropyUnavailable {
            throw .noRandomness
        } catch {
            throw .unusableKey
        }
    }
}

extension BlindedPath {
    /// The rest of a path that begins at our node: without our own hops, as if the message had passed through us. Other
    /// paths are unchanged; nil when the path also ends here.
    ///
    /// Throws `recipientData`, `order`, `loop` or `unusableKey` for a path that our node cannot follow.
    public func advanced(past nodeKey: SecretKey) throws(OnionFault) -> BlindedPath? {
        var path = self
        for _ in 0...OnionMessage.maximumOwnHops {
            guard path.introductionNode == .node(nodeKey.publicKey) else { return path }
            guard let following = try path.withoutFirstHop(nodeKey) else { return nil }
            path = following
        }
        throw .loop
    }

    private func withoutFirstHop(_ nodeKey: SecretKey) throws(OnionFault) -> BlindedPath? {
        guard let own = hops.first else { return nil }
        let rest = Array(hops.dropFirst())
        let secret = try rethrowing(HopSecret(pathKey: firstPathKey, nodeKey: nodeKey), as: OnionFault.unusableKey)
        let data = try secret.opened(own.encryptedRecipientData)
        switch try data.order(isFinal: rest.isEmpty) {
        case .receive:
            return nil
        case .forward(.channel):
            // We have no channels.
            throw .order(.noNextNode)
        case .forward(.node(let next)):
            return try rethrowing(
                BlindedPath(
                    introductionNode: .node(next), firstPathKey: secret.nextPathKey(data), hops: rest),
                as: OnionFault.unusableKey)
        }
    }
}
