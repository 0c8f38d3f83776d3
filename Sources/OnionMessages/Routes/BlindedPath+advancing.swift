import LightningCoding
public import BlindedPaths
public import LightningCrypto

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
