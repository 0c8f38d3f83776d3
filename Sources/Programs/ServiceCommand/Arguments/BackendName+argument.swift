import Bolt12
import ServiceSetup
import LightningCoding
import LightningCrypto
import ResponderCore
import ResponderModel

extension BackendName {
    init(argument text: String) throws(CommandFailure) {
        guard let name = BackendName(text) else {
            throw CommandFailure(.usage, "a node's name has 1 to 64 of a-z 0-9 - _")
        }
        self = name
    }
}

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
