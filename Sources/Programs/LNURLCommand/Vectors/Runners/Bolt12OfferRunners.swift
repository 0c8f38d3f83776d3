import BlindedPaths
import Bolt12
import LightningCoding
import LightningCrypto

extension VectorRunner {
    static let bolt12Offers = [
        // Parses an offer's text, and writes it in its canonical form.
        VectorRunner("bolt-12", "text") { input in
            let bytes = try Bolt12Text.decode(input.text("text"), as: .offer)
            return [
                "bytes": .string(Hexadecimal.encode(bytes)), "text": .string(Bolt12Text.encode(bytes, as: .offer)),
            ]
        },
        // Parses an offer: every field, and its id.
        VectorRunner("bolt-12", "offer") { input in
            let offer = try Offer(input.text("offer"))
            if let now = try input.optionalUnsigned("now") {
                try offer.check(chains: input.chains(), now: UnixTime(now))
            }
            var values = offer.fields.vectorValues
            values["id"] = .string(offer.id.hexadecimal)
            return values
        },
        // Computes the merkle root of a stream.
        VectorRunner("bolt-12", "merkle-root") { input in
            let stream = try TLVStream(parsing: input.bytes("stream"))
            let root = MerkleTree(stream.records).root
            return ["root": .hexadecimal(root)]
        },
    ]
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
