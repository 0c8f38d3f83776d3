import BlindedPaths
import Bolt11
import LightningCoding
import LightningCrypto
import Contracts

/// The ways by which a payer of a BOLT12 invoice reaches a node that makes BOLT11 invoices only: blinded paths at whose end
/// the node finds the payment secret of its own invoice.
struct PaymentPaths {
    let node: NodeInfo
    let invoice: UnverifiedBolt11Invoice
    let random: RandomSource

    /// A week: payers add blocks at random and may see another height (Core Lightning issues 7161, 8500).
    private static let blocksOfSlack: UInt32 = 1008
    /// Blocks that may come while the payment is under way. Where the node is paid by its own invoices, the payer adds them; over a
    /// blinded path it is the payee's part (LND does so in `lnrpc/invoicesrpc/addinvoice.go`).
    private static let blocksOnTheWay: UInt64 = 3
    /// Each costs some 300 bytes of the invoice, and payers try one after the other.
    private static let maximumCount = 3

    /// One path from the node itself when the network knows it, else one through each of its best peers that forward the
    /// amount.
    ///
    /// - Throws: `nodeNotReachable` when there is no such peer.
    func make() throws(RequestRefusal) -> [PaymentPath] {
        let destination = try destination()
        guard !node.isPublic else { return [try path(to: destination, through: [])] }
        let relays = node.introductionPeers.filter(canForward)
        guard !relays.isEmpty else { throw .nodeNotReachable }
        var paths: [PaymentPath] = []
        var fault = RequestRefusal.nodeNotReachable
        for relay in relays where paths.count < Self.maximumCount {
            do throws(RequestRefusal) {
                paths.append(try path(to: destination, through: [relay]))
            } catch {
                fault = error
            }
        }
        guard !paths.isEmpty else { throw fault }
        return paths
    }

    /// Whether there can be a way to a node, as far as that is known before it has made an invoice.
    ///
    /// - Throws: `nodeBehind` when its height is not to be relied on; `nodeNotReachable` when no peer takes so little; `path` when
    ///   the block height leaves no room.
    static func check(_ node: NodeInfo, for amount: Millisatoshi) throws(RequestRefusal) {
        guard node.isSynchronised else { throw .nodeBehind }
        _ = try expiryHeight(of: node)
        guard node.isPublic || node.introductionPeers.contains(where: { $0.htlcMinimum <= amount }) else {
            throw .nodeNotReachable
        }
    }

    private static func expiryHeight(of node: NodeInfo) throws(RequestRefusal) -> UInt32 {
        let (height, isTooHigh) = node.blockHeight.addingReportingOverflow(blocksOfSlack)
        guard !isTooHigh else { throw .path(.maxCLTVExpiryTooLarge) }
        return height
    }

    /// Whether the amount fits through, in parts where the node takes several.
    private func canForward(_ relay: PaymentPath.Relay) -> Bool {
        let amount = invoice.amount ?? .zero
        return relay.htlcMinimum <= amount
            && (amount <= relay.htlcMaximum || invoice.features.supports(.basicMultiPartPayment))
    }

    private func destination() throws(RequestRefusal) -> PaymentPath.Destination {
        // Numbers of the node: a shortened one would make a path over which the node refuses the payment.
        let (blocks, isTooLarge) = invoice.minFinalCLTVExpiryDelta.addingReportingOverflow(Self.blocksOnTheWay)
        guard !isTooLarge, let delta = UInt16(exactly: blocks) else { throw .path(.cltvExpiryDeltaTooLarge) }
        return PaymentPath.Destination(
            nodeID: node.nodeID,
            pathID: invoice.paymentSecret.secret,
            expiryHeight: try Self.expiryHeight(of: node),
            minFinalCLTVExpiryDelta: delta
        )
    }

    private func path(
        to destination: PaymentPath.Destination,
        through relays: [PaymentPath.Relay]
    ) throws(RequestRefusal) -> PaymentPath {
        do {
            return try PaymentPath(
                to: destination, through: relays, secret: try SecretKey(random: random), isPadded: !relays.isEmpty
            )
        } catch let fault as PaymentPathFault {
            throw .path(fault)
        } catch {
            throw .unavailable(.randomness)
        }
    }
}
