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

    package init(peers: [PublicKey] = [], feeSlack: UInt32 = 0, cltvSlack: UInt16 = 0) {
        self.peers = peers
        self.feeSlack = feeSlack
        self.cltvSlack = cltvSlack
    }

    func applied(to node: NodeInfo) -> NodeInfo {
        var applied = node
        if !peers.isEmpty {
            applied.isPublic = false
            applied.introductionPeers = peers.flatMap { peer in node.introductionPeers.filter { $0.nodeID == peer } }
        }
        for index in applied.introductionPeers.indices { slacken(&applied.introductionPeers[index].terms) }
        return applied
    }

    private func slacken(_ terms: inout PaymentRelay) {
        let fee = terms.feeProportionalMillionths.addingReportingOverflow(feeSlack)
        let delta = terms.cltvExpiryDelta.addingReportingOverflow(cltvSlack)
        terms.feeProportionalMillionths = fee.overflow ? .max : fee.partialValue
        terms.cltvExpiryDelta = delta.overflow ? .max : delta.partialValue
    }
}
