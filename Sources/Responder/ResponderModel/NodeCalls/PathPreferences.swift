import BlindedPaths
package import LightningCrypto

/// How payment paths to a node are built, besides what the node reports.
package struct PathPreferences: Hashable, Sendable {
    /// Peers through which payments should arrive, best first; empty leaves the choice to the node's report.
    package var peers: [PublicKey]
    /// Millionths added to a peer's fee, in case it rises.
    package var feeSlack: UInt32
    /// Blocks added to a peer's CLTV delta.
    package var cltvSlack: UInt16

    /// Creates preferences; the defaults use the node's report unchanged.
    package init(peers: [PublicKey] = [], feeSlack: UInt32 = 0, cltvSlack: UInt16 = 0) {
        self.peers = peers
        self.feeSlack = feeSlack
        self.cltvSlack = cltvSlack
    }

    /// The node, with these preferences applied.
    func applied(to node: NodeInfo) -> NodeInfo {
        let relays =
            peers.isEmpty
            ? node.introductionPeers
            : peers.flatMap { peer in node.introductionPeers.filter { $0.nodeID == peer } }
        return NodeInfo(
            nodeID: node.nodeID,
            network: node.network,
            blockHeight: node.blockHeight,
            isSynchronized: node.isSynchronized,
            isPublic: node.isPublic && peers.isEmpty,
            introductionPeers: relays.map(slackened),
            alias: node.alias,
            version: node.version,
            otherPayees: node.otherPayees
        )
    }

    private func slackened(_ relay: PaymentPath.Relay) -> PaymentPath.Relay {
        let fee = relay.terms.feeProportionalMillionths.addingReportingOverflow(feeSlack)
        let delta = relay.terms.cltvExpiryDelta.addingReportingOverflow(cltvSlack)
        return PaymentPath.Relay(
            nodeID: relay.nodeID,
            next: relay.next,
            terms: PaymentRelay(
                cltvExpiryDelta: delta.overflow ? .max : delta.partialValue,
                feeProportionalMillionths: fee.overflow ? .max : fee.partialValue,
                feeBase: relay.terms.feeBase
            ),
            htlcMinimum: relay.htlcMinimum,
            htlcMaximum: relay.htlcMaximum
        )
    }
}
