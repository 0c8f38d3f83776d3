import LNURL
import LightningCoding
import LightningCrypto

extension VectorRunner {
    static let lud18 = [
        // Checks payer data against the specification, including the signature.
        VectorRunner("lud-18", "payer-data") { input in
            let text = input.has("payerData") ? try input.text("payerData") : nil
            let data = try PayerData(parsing: text, against: input.asked())
            return [
                "name": .text(data.name),
                "pubkey": .text(data.pubkey?.hexadecimal),
                "identifier": .text(data.identifier),
                "email": .text(data.email),
                "key": .text(data.auth?.key.hexadecimal),
                "k1": .text(data.auth?.k1.hexadecimal),
            ]
        },
        // Hashes metadata and payer data like an invoice's commitment.
        VectorRunner("lud-18", "description-hash") { input in
            let hash = PayMetadata.descriptionHash(
                of: try input.text("metadata"),
                payerData: input.has("payerData") ? try input.text("payerData") : nil
            )
            return ["hash": .string(Hexadecimal.encode(hash))]
        },
        // Parses the response of LNURL-verify.
        VectorRunner("lud-21", "verify") { input in
            let answer = try VerifyResponse(json: input.body())
            return [
                "settled": .bool(answer.settled),
                "preimage": .text(answer.preimage?.hexadecimal),
                "pr": .string(answer.pr),
            ]
        },
    ]
}

extension VectorInput {
    /// `asked`: an object of field names, each `optional` or `mandatory`.
    fileprivate func asked() throws(InputFault) -> PayerDataSpec {
        guard let members = try value("asked").object?.members else { throw fault("asked") }
        var requirements: [PayerDataSpec.Field: PayerDataSpec.Requirement] = [:]
        for member in members {
            guard let field = PayerDataSpec.Field(rawValue: member.key) else { throw fault("asked") }
            requirements[field] = member.value.string == "mandatory" ? .mandatory : .optional
        }
        return PayerDataSpec(requirements)
    }
}
