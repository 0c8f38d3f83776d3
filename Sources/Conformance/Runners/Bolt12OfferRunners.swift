import BlindedPaths
import Bolt12
import LightningCoding
import LightningCrypto

/// Parses an offer's text, and writes it in its canonical form.
struct Bolt12TextRunner: VectorRunner {
    static let standard = "bolt-12"
    static let subject = "text"

    func run(_ input: VectorInput) throws -> JSONObject {
        let bytes = try Bolt12Text.decode(input.string("text"), as: .offer)
        return [
            "bytes": .string(Hexadecimal.encode(bytes)), "text": .string(Bolt12Text.encode(bytes, as: .offer)),
        ]
    }

    func rule(of fault: any Error) -> String? {
        (fault as? RecordFault)?.rule
    }
}

/// Parses an offer: every field, and its id.
struct Bolt12OfferRunner: VectorRunner {
    static let standard = "bolt-12"
    static let subject = "offer"

    func run(_ input: VectorInput) throws -> JSONObject {
        let offer = try Offer(input.string("offer"))
        if let now = try input.optionalUnsigned("now") {
            try offer.check(chains: input.chains(), now: UnixTime(now))
        }
        var values = offer.fields.vectorValues
        values["id"] = .string(offer.id.hexadecimal)
        return values
    }

    func rule(of fault: any Error) -> String? {
        (fault as? OfferFault)?.rule
    }
}

/// Computes the merkle root of a stream.
struct Bolt12MerkleRootRunner: VectorRunner {
    static let standard = "bolt-12"
    static let subject = "merkle-root"

    func run(_ input: VectorInput) throws -> JSONObject {
        let stream = try TLVStream(parsing: input.bytes("stream"))
        let root = MerkleTree(stream.records).root
        return ["root": .hexadecimal(root)]
    }

    func rule(of fault: any Error) -> String? {
        nil
    }
}

extension OfferFields {
    fileprivate var vectorValues: JSONObject {
        [
            "chains": chains.map { .array($0.map { .string($0.description) }) } ?? .null,
            "metadata": .hexadecimal(metadata),
            "currency": .text(currency),
            "amount": .number(amount),
            "description": .text(description),
            "features": features.map { .array($0.bits.map(JSONValue.integer)) } ?? .null,
            "absoluteExpiry": .number(absoluteExpiry?.seconds),
            "paths": paths.map { .array($0.map(\.wireValue)) } ?? .null,
            "issuer": .text(issuer),
            "quantityMax": .number(quantityMax),
            "issuerID": .text(issuerID?.hexadecimal),
        ]
    }
}
