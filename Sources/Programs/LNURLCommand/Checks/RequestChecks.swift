import Bolt12
import LightningCoding

extension InvoiceRequest {
    func checks(at now: UnixTime) -> [Check] { [signatureCheck, offerCheck(at: now)] }

    private var signatureCheck: Check {
        do throws(InvoiceRequestFault) {
            try checkSignature()
            return .passed("signature", "by the payer")
        } catch {
            return .failed("signature", error.reason)
        }
    }

    private func offerCheck(at now: UnixTime) -> Check {
        do throws(OfferFault) {
            guard let offer = try mirroredOffer() else {
                return .passed("offer", "none: this is an offer of money, such as a refund")
            }
            return termsCheck(of: offer, at: now)
        } catch {
            return .failed("offer", error.reason)
        }
    }

    /// The signature, the last of these rules, gets its own line.
    private func termsCheck(of offer: Offer, at now: UnixTime) -> Check {
        let reception = RequestReception(
            arrival: .forwarder, now: now, chains: Set(offer.acceptedChains), greatestMultiple: nil)
        do throws(InvoiceRequestFault) {
            _ = try accepted(for: offer, reception)
        } catch .unsupportedCurrency {
            return .warning("offer", "asks for \(offer.fields.price): only its issuer can tell whether that is correct")
        } catch .missingSignature, .invalidSignature {
        } catch {
            return .failed("offer", error.reason)
        }
        return .passed("offer", "accepts this request; its id is \(offer.id)")
    }
}
