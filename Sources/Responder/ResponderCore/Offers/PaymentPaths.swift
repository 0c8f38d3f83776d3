import BlindedPaths
import Bolt11
import LightningCoding
import LightningCrypto
import ResponderModel

/// How a payer of a BOLT12 invoice reaches a node that makes only BOLT11 invoices: blinded paths whose path id is the
/// payment secret of the node's own invoice.
struct PaymentPaths {
    let node: NodeInfo
    let invoice: UnverifiedBolt11Invoice
    let random: RandomSource

    /// A week: payers add random blocks and may see a different height (Core Lightning issues 7161, 8500).
    private static let blocksOfSlack: UInt32 = 1008
    /// Blocks mined while the payment is under way. For BOLT11 invoices the payer adds them; over a blinded path the
    /// payee must (LND does so in `lnrpc/invoicesrpc/addinvoice.go`).
    private static let blocksOnTheWay: UInt64 = 3
    /// Each takes some 300 bytes of the invoice, and payers try them one after the other.
    private static let maximumCount = 3

    /// One path from the node itself when it is public, else one through each of its best peers that can forward the
    /// amount.
    ///
    /// - Throws: `nodeNotReachable` when there is no such peer.
    func make() throws(Refusal.Cause) -> [PaymentPath] {
        let destination = try destination()
        guard !node.isPublic else { return [try path(to: destination, through: [])] }
        let relays = node.introductionPeers.filter(canForward)
        guard !relays.isEmpty else { throw .nodeNotReachable }
        var paths: [PaymentPath] = []
        var fault = Refusal.Cause.nodeNotReachable
        for relay in relays where paths.count < Self.maximumCount {
            do throws(Refusal.Cause) {
                paths.append(try path(to: destination, through: [relay]))
            } catch {
                fault = error
            }
        }
        guard !paths.isEmpty else { throw fault }
        return paths
    }

    /// Whether a path to the node can exist, as far as known before it has made an invoice.
    ///
    /// - Throws: `nodeBehind` when its height is unreliable; `nodeNotReachable` when no peer forwards so small an
    ///   amount; `path` when the block height is too high.
    static func check(_ node: NodeInfo, for amount: Millisatoshi) throws(Refusal.Cause) {
        guard node.isSynchronized else { throw .nodeBehind }
        _ = try expiryHeight(of: node)
        guard node.isPublic || node.introductionPeers.contains(where: { $0.htlcMinimum <= amount }) else {
            throw .nodeNotReachable
        }
    }

    private static func expiryHeight(of node: NodeInfo) throws(Refusal.Cause) -> UInt32 {
        let (height, isTooHigh) = node.blockHeight.addingReportingOverflow(blocksOfSlack)
        guard !isTooHigh else { throw .path(.maxCLTVExpiryTooLarge) }
        return height
    }

    /// Whether the peer can forward the amount, in parts where the node accepts several.
    private func canForward(_ relay: PaymentPath.Relay) -> Bool {
        let amount = invoice.amount ?? .zero
        return relay.htlcMinimum <= amount
            && (amount <= relay.htlcMaximum || invoice.features.supports(.basicMultiPartPayment))
    }

    private func destination() throws(Refusal.Cause) -> PaymentPath.Destination {
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
    ) throws(Refusal.Cause) -> PaymentPath {
        do {
            return try PaymentPath(
                to: destination, through: relays, secret: try SecretKey(random: random), isPadded: !relays.isEmpty
            )
        } catch let fault as PaymentPathFault {
            throw .path(fault)
        } catch {
            throw .randomness
        }
    }
}
