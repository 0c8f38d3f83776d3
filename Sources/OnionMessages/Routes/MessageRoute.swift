public import BlindedPaths
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
