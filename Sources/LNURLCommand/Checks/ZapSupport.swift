import LightningCoding
import LightningCrypto

/// Zap support in the first response (NIP-57): whether Nostr clients may send zaps, and which key signs the receipts.
struct ZapSupport {
    private let allowsNostr: JSONValue
    private let nostrPubkey: JSONValue

    /// Nil when the response does not mention zaps.
    init?(_ json: JSONValue) {
        allowsNostr = json["allowsNostr"] ?? .null
        nostrPubkey = json["nostrPubkey"] ?? .null
        guard !allowsNostr.isNull || !nostrPubkey.isNull else { return nil }
    }

    var check: Check {
        switch (allowsNostr.bool, key) {
        case (nil, _): .warning("zaps", "allowsNostr is neither true nor false: Nostr clients will not zap (NIP-57)")
        case (false, _): .passed("zaps", "not accepted")
        case (true, nil):
            .warning(
                "zaps", "nostrPubkey is not 64 hexadecimal digits of a public key: Nostr clients will not zap (NIP-57)")
        case (true, let key?): .passed("zaps", "receipts are signed by \(Hexadecimal.encode(key.bytes))")
        }
    }

    /// For the page: `accepted, receipts are signed by …`.
    var summary: String {
        let signer = nostrPubkey.string.map { ", receipts signed by \($0)" } ?? ""
        return (allowsNostr.bool == true ? "accepted" : "not accepted") + signer
    }

    private var key: XOnlyPublicKey? {
        nostrPubkey.string.flatMap { text in
            (try? Hexadecimal.decode(text)).flatMap { try? XOnlyPublicKey($0) }
        }
    }
}
