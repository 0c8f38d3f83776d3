import Bolt12
import LightningCoding

struct RequestChecks {
    let request: InvoiceRequest
    let now: UnixTime

    var all: [Check] { [signature, offer] }

    private var signature: Check {
        do throws(InvoiceRequestFault) {
            try request.checkSignature()
            return .passed("signature", "by the payer")
        } catch {
            return .failed("signature", error.reason)
        }
    }

    private var offer: Check {
        do throws(OfferFault) {
            guard let offer = try request.mirroredOffer() else {
                return .passed("offer", "none: this is an offer of money, such as a refund")
            }
            return terms(of: offer)
        } catch {
            return .failed("offer", error.reason)
        }
    }

    /// The signature, the last of these rules, gets its own line.
    private func terms(of offer: Offer) -> Check {
        let reception = RequestReception(
            arrival: .forwarder, now: now, chains: Set(offer.acceptedChains), greatestMultiple: nil)
        do throws(InvoiceRequestFault) {
            _ = try request.accepted(for: offer, reception)
        } catch .unsupportedCurrency {
            return .warning("offer", "asks for \(offer.fields.price): only its issuer can tell whether that is correct")
        } catch .missingSignature, .invalidSignature {
        } catch {
            return .failed("offer", error.reason)
        }
        return .passed("offer", "accepts this request; its id is \(offer.id)")
    }
}
