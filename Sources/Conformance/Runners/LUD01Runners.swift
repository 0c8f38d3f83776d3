import LNURL
import LightningCoding

/// Decodes a URL in bech32, and encodes it again in both cases.
struct LNURLDecodeRunner: LUDRunner {
    static let standard = "lud-01"
    static let subject = "decode"

    func run(_ input: VectorInput) throws -> JSONObject {
        let url = try EncodedURL.decode(input.string("text"))
        return [
            "url": .string(url.text),
            "lower": .string(EncodedURL.encode(url)),
            "upper": .string(EncodedURL.encode(url, upper: true)),
        ]
    }
}

/// Classifies a pasted text.
struct LNURLRecogniseRunner: LUDRunner {
    static let standard = "lud-01"
    static let subject = "recognise"

    func run(_ input: VectorInput) throws -> JSONObject {
        let target = try LNURLTarget(input.string("text"))
        return [
            "kind": .string(target.kind),
            "url": .text(target.url?.text),
            "purpose": .text(target.purpose?.tag),
        ]
    }
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
