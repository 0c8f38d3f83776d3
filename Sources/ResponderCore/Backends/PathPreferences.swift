import BlindedPaths
public import LightningCrypto
import Contracts

/// How payment paths to a node are made, beside what the node tells.
public struct PathPreferences: Hashable, Sendable {
    /// Peers through which payments are to come, best first; empty leaves the choice to what the node tells.
    public var peers: [PublicKey]
    /// Millionths that are added to what a peer asks for, in case it asks for more by then.
    public var feeSlack: UInt32
    /// Blocks that are added to what a peer asks for.
    public var cltvSlack: UInt16

    /// Creates preferences; without any, what the node tells is taken as it is.
    public init(peers: [PublicKey] = [], feeSlack: UInt32 = 0, cltvSlack: UInt16 = 0) {
        self.peers = peers
        self.feeSlack = feeSlack
        self.cltvSlack = cltvSlack
    }

    /// The node as paths are to be made to it.
    func applied(to node: NodeInfo) -> NodeInfo {
        let relays =
            peers.isEmpty
            ? node.introductionPeers
            : peers.flatMap { peer in node.introductionPeers.filter { $0.nodeID == peer } }
        return NodeInfo(
            nodeID: node.nodeID,
            network: node.network,
            blockHeight: node.blockHeight,
            isSynchronised: node.isSynchronised,
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
