import Bolt12
import LightningCoding
import LightningCrypto
package import OnionMessages
package import ResponderModel

extension Responder {
    /// Answers an onion message addressed to our own key, for every account.
    ///
    /// Cheap checks come first: that it requests an invoice and has a reply path, then that it came over one of our
    /// paths. Only then is the request read.
    package func answer(to message: ReceivedMessage) async -> MessageAnswer {
        guard case .invoiceRequest(let bytes) = message.content else { return .silence(.notARequest) }
        guard let replyPath = message.replyPath else { return .silence(.noReplyPath) }
        let taken: OfferPath?
        do {
            taken = try message.pathID.map { pathID throws(MessageSilence) in try path(of: pathID) }
        } catch {
            return .silence(error)
        }
        do throws(RequestRefusal) {
            let invoice = try await invoice(answering: bytes, over: taken)
            return .reply(.invoice(invoice.stream.bytes), over: replyPath, refusal: nil)
        } catch {
            // Whoever has a path of ours knows that we answer for it; nobody else may learn it.
            let isStranger = taken == nil && error == .unknownOffer
            guard !isStranger, !error.isSilent else { return .silence(.notForUs(error)) }
            guard !error.isTransient, let refusal = try? InvoiceError(error.reason) else {
                return .silence(.notNow(error))
            }
            return .reply(.invoiceError(refusal.bytes), over: replyPath, refusal: error)
        }
    }

    private func path(of pathID: SecretBytes) throws(MessageSilence) -> OfferPath {
        guard let path = offers?.path(of: pathID) else { throw .unknownPath }
        return path
    }

    private func invoice(
        answering bytes: [UInt8], over path: OfferPath?
    ) async throws(RequestRefusal) -> Bolt12Invoice {
        let offer = try mirroredOffer(of: bytes, over: path)
        guard let issued = try await RequestRefusal.asking(await ledger.offer(offer.id)) else {
            throw .unknownOffer
        }
        return try await RequestRefusal.asking(await payResponder(for: Recipient(issued.account)))
            .invoice(
                answering: bytes, to: offer, issued: issued, arrival: path.map { .viaPath($0.index) } ?? .direct)
    }

    /// The offer that the request is for, when it is ours and the request came over the right path.
    private func mirroredOffer(of bytes: [UInt8], over path: OfferPath?) throws(RequestRefusal) -> Offer {
        let mirrored: Offer?
        do {
            mirrored = try InvoiceRequest(bytes: bytes).mirroredOffer()
        } catch let fault as InvoiceRequestFault {
            // Strangers learn only that their request is for no offer of ours.
            throw path == nil ? .unknownOffer : .request(fault)
        } catch {
            throw .unknownOffer
        }
        guard let mirrored, let offers, offers.isOurs(mirrored) else { throw .unknownOffer }
        guard let path else { return mirrored }
        guard offers.isPath(path, of: mirrored) else { throw .request(.notViaOfferPath) }
        return mirrored
    }
}
