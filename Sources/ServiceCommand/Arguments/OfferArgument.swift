import ResponderCore
import ServiceSetup
import Bolt12
import LightningCoding
import LightningCrypto

/// An offer as typed.
enum OfferArgument {
    static func id(_ text: String) throws(CommandFailure) -> OfferID {
        if let bytes = try? Hexadecimal.decode(text), let id = OfferID(bytes) { return id }
        return try offer(text).id
    }

    static func offer(_ text: String) throws(CommandFailure) -> Offer {
        try rethrowing(Offer(text)) { (fault: OfferFault) in CommandFailure(.usage, "that is no offer: \(fault.reason)")
        }
    }
}
