import LNURL
import LightningCoding

extension VectorRunner {
    static let lud01 = [
        // Decodes a URL in bech32, and encodes it again in both cases.
        VectorRunner("lud-01", "decode") { input in
            let url = try EncodedURL.decode(input.text("text"))
            return [
                "url": .string(url.text),
                "lower": .string(EncodedURL.encode(url)),
                "upper": .string(EncodedURL.encode(url, upper: true)),
            ]
        },
        // Classifies a pasted text.
        VectorRunner("lud-01", "recognize") { input in
            let target = try LNURLTarget(input.text("text"))
            return [
                "kind": .string(target.kind),
                "url": .text(target.url?.text),
                "purpose": .text(target.purpose?.tag),
            ]
        },
    ]
}

extension LNURLTarget {
    fileprivate var kind: String {
        switch self {
        case .address: "address"
        case .encoded: "bech32"
        case .scheme: "scheme"
        case .web: "url"
        case .bolt11: "bolt11"
        }
    }
}
