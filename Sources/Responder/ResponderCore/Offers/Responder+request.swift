import Bolt12
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel

extension Responder {
    /// Answers an invoice request for an offer of an account: with a signed BOLT12 invoice, durable before this
    /// returns.
    ///
    /// Cheap checks come first: that the offer is ours and the request follows the rules, then the signature; only then
    /// are the ledger and the node called. The same bytes get the same invoice while it can be paid and the offer has
    /// an issuer id; otherwise a new one.
    ///
    /// - Parameters:
    ///   - bytes: the request's TLV stream.
    ///   - offer: the offer that the request claims to be for; nil when it is not known.
    ///   - issued: the ledger's offer; nil when it has not been read.
    ///   - account: the account.
    ///   - arrival: how the request arrived.
    func invoice(
        answering bytes: [UInt8], to offer: Offer?, _ issued: IssuedOffer?, for account: Account, arrival: Arrival
    ) async throws(RequestRefusal) -> Bolt12Invoice {
        let asked = try await requestedPayment(bytes, offer, for: account, arrival)
        guard let digest = asked.digest else { return try await issueInvoice(for: asked, issued) }
        return try await requestsInFlight.invoice(
            for: AccountRequest(account: account.id, digest: digest),
            earlier: { () async throws(RequestRefusal) in try await earlierInvoice(digest, of: account.id) },
            issuing: { () async throws(RequestRefusal) in try await issueInvoice(for: asked, issued) })
    }

    /// Checks the rules that need neither ledger nor node, except for the node's chain; returns the signing key.
    private func requestedPayment(
        _ bytes: [UInt8], _ expected: Offer?, for account: Account, _ arrival: Arrival
    ) async throws(RequestRefusal) -> RequestedPayment {
        let node = try await awaiting(await nodes.node(named: account.settings.backend), as: RequestRefusal.unavailable)
        do {
            let request = try InvoiceRequest(bytes: bytes)
            let mirrored = try? request.mirroredOffer()
            guard expected == nil || mirrored == expected else { throw InvoiceRequestFault.offerMismatch }
            guard let offer = mirrored, let offers, offers.isOurs(offer) else { throw RequestRefusal.unknownOffer }
            let chain = ChainHash(node.info.network)
            let accepted = try request.accepted(
                for: offer, RequestReception(arrival: arrival, now: clock(), chains: [chain]))
            guard accepted.request.fields.payerNote?.utf8.contains(0) != true else { throw RequestRefusal.zeroInNote }
            guard let key = offers.signingKey(of: offer, pathIndex: accepted.pathIndex ?? 0) else {
                throw RequestRefusal.unknownOffer
            }
            return RequestedPayment(
                account: account, node: node, request: accepted, signingKey: key,
                digest: offer.issuerID == nil ? nil : RequestDigest(of: bytes))
        } catch let fault as InvoiceRequestFault {
            throw .request(fault)
        } catch {
            throw error as? RequestRefusal ?? .unknownOffer
        }
    }

    private func earlierInvoice(
        _ digest: RequestDigest, of name: AccountID
    ) async throws(RequestRefusal) -> Bolt12Invoice? {
        guard let earlier = try await RequestRefusal.asking(await ledger.answer(to: digest, at: clock())),
            case .bolt12(let offered) = earlier.origin
        else { return nil }
        // An invoice of another account is not returned.
        guard earlier.account == name else { throw .unknownOffer }
        return offered.invoice.flatMap { try? Bolt12Invoice(bytes: $0) }
    }
}

/// A valid invoice request, and who answers it.
struct RequestedPayment: Sendable {
    let account: Account
    let node: ReceivingNode
    let request: AcceptedRequest
    let signingKey: SecretKey
    /// Identifies a repeated request; nil when each gets its own invoice.
    let digest: RequestDigest?
}
