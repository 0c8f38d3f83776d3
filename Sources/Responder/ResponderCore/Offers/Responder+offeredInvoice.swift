import BlindedPaths
import Bolt11
import Bolt12
import LNURL
import LightningCoding
import LightningCrypto
import ResponderModel

extension Responder {
    /// Builds a BOLT12 invoice from a BOLT11 invoice of the node: the same payment hash, paid over a blinded path whose
    /// path id is the node's payment secret.
    ///
    /// - Parameter issued: the ledger's offer; nil when it has not been read.
    func issueInvoice(
        for asked: RequestedPayment, _ issued: IssuedOffer?
    ) async throws(RequestRefusal) -> Bolt12Invoice {
        let (request, node) = (asked.request, asked.node)
        let claim = OfferClaim(offer: request.offer.id, request: asked.digest)
        let offer = try await payableOffer(claim.offer, of: asked.account.id, as: issued)
        let payee = try await awaiting(await payee(asked.account, at: node), as: RequestRefusal.unavailable)
        try rethrowing(payee.check(request.amount), as: RequestRefusal.init(_:))
        guard case .builtHere = node.capabilities.offers else { throw .backendWithoutBolt12(node.name) }
        // Checked first to save the node an invoice; what the ledger finds on recording decides.
        if offer.maximumPayments != nil,
            let obstacle = try await RequestRefusal.asking(await ledger.obstacle(to: claim, at: clock()))
        {
            throw RequestRefusal(.ledger(obstacle))
        }
        try rethrowing(PaymentPaths.check(node.info, for: request.amount), as: RequestRefusal.unavailable)
        let order = try rethrowing(order(for: request, payee), as: RequestRefusal.init(_:))
        do throws(Refusal) {
            return try await issuer.issue(order, for: payee, claiming: .offer(claim)) {
                base, createdAt throws(Refusal) in
                let invoice = try rethrowing(signed(asked, base, at: createdAt), as: Refusal.unavailable)
                let words = request.request.fields
                return SealedInvoice(
                    document: invoice,
                    origin: .bolt12(
                        .init(
                            offer: claim.offer,
                            invoice: invoice.stream.bytes,
                            quantity: words.quantity,
                            payerNote: words.payerNote,
                            name: words.bip353Name?.description
                        )))
            }
        } catch {
            throw RequestRefusal(error)
        }
    }

    /// The offer, when it is the account's and enabled.
    private func payableOffer(
        _ id: OfferID, of name: AccountID, as known: IssuedOffer?
    ) async throws(RequestRefusal) -> IssuedOffer {
        var issued = known
        if issued == nil { issued = try await RequestRefusal.asking(await ledger.offer(id)) }
        guard let issued, issued.account == name else { throw .unknownOffer }
        guard issued.disabledAt == nil else { throw .offerDisabled }
        return issued
    }

    /// The node's invoice expires no later than the offer.
    private func order(for request: AcceptedRequest, _ payee: Payee) throws(Refusal) -> InvoiceOrder {
        let description = request.offer.description ?? ""
        let fits = description.utf8.count <= payee.node.capabilities.textLimit
        let remaining = request.offer.absoluteExpiry.map { max(1, $0.seconds(since: clock())) }
        return try order(
            request.amount, fits ? .text(description) : .hashed(description),
            expiry: min(payee.account.settings.invoiceExpiry, remaining ?? .max))
    }

    private func signed(
        _ asked: RequestedPayment, _ base: UnverifiedBolt11Invoice, at createdAt: UnixTime
    ) throws(Refusal.Cause) -> Bolt12Invoice {
        let paths = try PaymentPaths(node: asked.node.info, invoice: base, random: random).make()
        let draft = InvoiceDraft(
            answering: asked.request,
            createdAt: createdAt,
            relativeExpiry: UInt32(clamping: base.expiresAt.seconds(since: createdAt)),
            paymentHash: base.paymentHash,
            paths: paths,
            parts: base.features.supports(.basicMultiPartPayment) ? .severalAllowed : .one
        )
        do {
            return try draft.signed(by: asked.signingKey, auxiliaryRandom: try random(32))
        } catch let fault as InvoiceFault {
            throw .bolt12(fault)
        } catch {
            throw .randomness
        }
    }
}
