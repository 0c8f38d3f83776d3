import LNURL
import LightningCoding
import LightningCrypto

/// Checks payer data against the specification, including the signature.
struct PayerDataRunner: LUDRunner {
    static let standard = "lud-18"
    static let subject = "payer-data"

    func run(_ input: VectorInput) throws -> JSONObject {
        let text = input.has("payerData") ? try input.string("payerData") : nil
        let data = try PayerData(parsing: text, against: input.asked())
        return [
            "name": .text(data.name),
            "pubkey": .text(data.pubkey?.hexadecimal),
            "identifier": .text(data.identifier),
            "email": .text(data.email),
            "key": .text(data.auth?.key.hexadecimal),
            "k1": .text(data.auth?.k1.hexadecimal),
        ]
    }
}

/// Hashes metadata and payer data like an invoice's commitment.
struct DescriptionHashRunner: LUDRunner {
    static let standard = "lud-18"
    static let subject = "description-hash"

    func run(_ input: VectorInput) throws -> JSONObject {
        let hash = PayMetadata.descriptionHash(
            of: try input.string("metadata"),
            payerData: input.has("payerData") ? try input.string("payerData") : nil
        )
        return ["hash": .string(Hexadecimal.encode(hash))]
    }
}

/// Parses the response of LNURL-verify.
struct VerifyRunner: LUDRunner {
    static let standard = "lud-21"
    static let subject = "verify"

    func run(_ input: VectorInput) throws -> JSONObject {
        let answer = try VerifyResponse(json: input.body())
        return [
            "settled": .bool(answer.settled),
            "preimage": .text(answer.preimage?.hexadecimal),
            "pr": .string(answer.pr),
        ]
    }
}

extension VectorInput {
    /// `asked`: an object of field names, each `optional` or `mandatory`.
    fileprivate func asked() throws(Fault) -> PayerDataSpec {
        guard let members = try value("asked").object?.members else { throw Fault(member: "asked") }
        var requirements: [PayerDataSpec.Field: PayerDataSpec.Requirement] = [:]
        for member in members {
            guard let field = PayerDataSpec.Field(rawValue: member.key) else { throw Fault(member: "asked") }
            requirements[field] = member.value.string == "mandatory" ? .mandatory : .optional
        }
        return PayerDataSpec(requirements)
    }
}
