import Bolt11
import LightningCoding
import LightningCrypto

extension CheckGroup {
    static let zaps = CheckGroup(
        "Zaps",
        [
            ServiceCheck(
                "zap-members", "allowsNostr and nostrPubkey are a boolean and a key, both or neither", .must,
                Rule("NIP-57", "allowsNostr: true, nostrPubkey: a valid BIP 340 public key in hex."), reads: [.info]
            ) { evidence throws(Skipped) in
                let object = try evidence.info.object()
                let (allows, key) = (object["allowsNostr"] ?? .null, object["nostrPubkey"] ?? .null)
                guard !allows.isNull || !key.isNull else { throw Skipped("zaps are not accepted") }
                guard let isAllowed = allows.bool else { return .breaks("allowsNostr is \(allows.serialized())") }
                guard isAllowed || !key.isNull else { return .follows("not accepted") }
                guard let text = key.string, text.utf8.count == 64, text.isExactly(text.lowercasedASCII) else {
                    return .breaks("nostrPubkey is \(key.serialized())")
                }
                return evidence.info.nostrPubkey == nil ? .breaks("nostrPubkey is no key") : .follows(text)
            },
            ServiceCheck(
                "zap-comments", "who accepts zaps allows comments too", .should,
                Rule("practice", "Clients take commentAllowed for the limit of a zap's text."),
                breaks: [BrokenClient("Primal", "PrimalHQ/primal-android-app#274")], reads: [.info]
            ) { evidence throws(Skipped) in
                guard evidence.info.member("allowsNostr")?.bool == true else { throw Skipped("zaps are not accepted") }
                let allowed = evidence.info.commentAllowed ?? 0
                return allowed > 0 ? .follows("\(allowed) characters") : .breaks("commentAllowed is 0")
            },
            issued(
                .zap, "a zap request of 2 kB with +, quotes and emoji is accepted",
                Rule("NIP-57", "A service that allows zaps answers a valid zap request with an invoice."),
                breaks: [BrokenClient("coinos", "coinos/coinos-server#62")]),
            ServiceCheck(
                "zap-hash", "the hash is that of the zap request as it was sent", .must,
                Rule("NIP-57", "The description hash is the SHA-256 of the zap request, and of nothing else."),
                breaks: [BrokenClient("clients that verify receipts", "PrimalHQ/primal-server#19")],
                reads: [.zap, .info]
            ) { evidence throws(Skipped) in
                guard case .hash(let found) = try evidence.invoice(.zap).contents.description,
                    let text = evidence.parameter("nostr", of: .zap)
                else { return .breaks("the invoice has no hash") }
                return found == SHA256.hash(text.utf8)
                    ? .follows() : .breaks("\(Hexadecimal.encode(found)) is another's")
            },
            refused(
                .zapForged, "a zap request with a wrong signature is refused",
                Rule("NIP-57", "It must have a valid signature.")),
            refused(
                .zapOtherAmount, "a zap request for another amount is refused",
                Rule("NIP-57", "If there is an amount tag, it must be equal to the amount parameter.")),
        ])
}
