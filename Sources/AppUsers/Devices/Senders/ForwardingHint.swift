package import LightningCoding
package import LightningCrypto
package import ResponderModel

/// What the recipient's peer says of a payment that it could not forward:
/// `{"hint":"retry_later","reason":"disconnected","recommended_delay_ms":1000}`.
package struct ForwardingHint: Hashable, Comparable, Sendable {
    package let advice: Advice
    package let reason: Reason
    /// How long to wait, in milliseconds.
    package let delay: UInt64

    package enum Advice: String, Hashable, Sendable {
        /// Try again at once.
        case retryNow = "retry_now"
        /// Try again after the delay.
        case retryLater = "retry_later"
        case doNotRetry = "do_not_retry"
    }

    package enum Reason: String, Hashable, Sendable {
        /// The recipient is not connected.
        case disconnected
        case insufficientLiquidity = "insufficient_liquidity"
        case recipientChannelDisabled = "recipient_channel_disabled"
        /// The peer knows of no reason, or does not tell.
        case unknown
    }

    package init(_ advice: Advice, because reason: Reason, delay: UInt64 = 0) {
        self.advice = advice
        self.reason = reason
        self.delay = delay
    }

    /// Orders by how soon the payment may succeed.
    package static func < (one: ForwardingHint, other: ForwardingHint) -> Bool { one.chance < other.chance }

    private var chance: Int {
        switch (advice, reason) {
        case (.retryNow, _): 3
        case (.retryLater, _): 2
        case (.doNotRetry, .unknown): 0
        case (.doNotRetry, _): 1
        }
    }

    package var json: JSONObject {
        [
            "hint": .string(advice.rawValue), "reason": .string(reason.rawValue),
            "recommended_delay_ms": .unsigned(delay),
        ]
    }
}

extension ForwardingHint {
    /// What a node can say of a payment to one of its peers.
    ///
    /// - Parameters:
    ///   - peer: what the node knows of the recipient; nil when it has no channel with it.
    ///   - amount: how much is to be forwarded.
    package init(forwarding amount: Millisatoshi, to peer: ForwardingPeer?) {
        guard let peer, let largest = peer.channels.map(\.sendable).max() else {
            self.init(.doNotRetry, because: .unknown)
            return
        }
        if largest < amount {
            self.init(.doNotRetry, because: .insufficientLiquidity)
        } else if !peer.isConnected {
            self.init(.retryLater, because: .disconnected, delay: Self.usualDelay)
        } else if !peer.channels.contains(where: { $0.isEnabled && $0.sendable >= amount }) {
            self.init(.retryLater, because: .recipientChannelDisabled, delay: Self.usualDelay)
        } else {
            self.init(.retryNow, because: .unknown)
        }
    }

    /// A phone that was woken needs about a second to connect, in milliseconds.
    private static let usualDelay: UInt64 = 1000
}

extension ForwardingHint {
    /// The best that any node says: a payment may come through each of them. Nodes that fail say nothing.
    ///
    /// - Throws: the fault of a node, when all fail.
    package static func best(
        of nodes: [any ForwardingNode], forwarding amount: Millisatoshi, to recipient: PublicKey
    ) async throws(BackendFault) -> ForwardingHint {
        let answers = await withTaskGroup(of: Result<ForwardingHint, BackendFault>.self) { group in
            for node in nodes {
                group.addTask {
                    do throws(BackendFault) {
                        return .success(
                            ForwardingHint(forwarding: amount, to: try await node.forwardingPeer(recipient)))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let hints = answers.compactMap { try? $0.get() }
        if let best = hints.max() { return best }
        for case .failure(let fault) in answers { throw fault }
        throw .unsupported
    }
}
