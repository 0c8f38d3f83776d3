import LNURL
import LightningCoding
import LightningCrypto

/// Payer data as a service asks for it (LUD-18).
struct PayerDraft: Sendable {
    let isAsked: Bool
    let isMandatory: Bool
    /// The mandatory members, sent with every request; nil when there are none.
    private let mandatory: String?
    let full: String?
    /// The same with a signature over something else; nil when no signature is asked for.
    let forged: String?
    /// Whether a signature is mandatory, each over another challenge: only a few requests can be made then.
    let needsChallenge: Bool

    /// Reads `payerData` of a first answer.
    ///
    /// - Throws: when something mandatory is unknown.
    init(_ answer: EvidenceSource, key: SecretKey) throws(Skipped) {
        let asked = answer.member("payerData")?.object?.members.filter { $0.value.object != nil } ?? []
        let required = Set(asked.filter { $0.value["mandatory"]?.bool == true }.map { ExactText($0.key) })
        let members = Self.members(key: key, k1: answer.member("payerData")?["auth"]?["k1"]?.string)
        let names = asked.map { ExactText($0.key) }
        if let unknown = required.first(where: { name in !members.contains { name == ExactText($0.key) } }) {
            throw Skipped("the service demands the payer data \"\(unknown.text)\"")
        }
        isAsked = !asked.isEmpty
        isMandatory = !required.isEmpty
        mandatory = Self.text(members.filter { required.contains(ExactText($0.key)) })
        full = Self.text(members.filter { names.contains(ExactText($0.key)) })
        forged =
            names.contains("auth") && members.contains { $0.key.isExactly("auth") }
            ? Self.text(members.filter { names.contains(ExactText($0.key)) }.map(Self.forging)) : nil
        needsChallenge = required.contains("auth")
    }

    /// The parameter of every request.
    var items: [(name: String, value: String)] { mandatory.map { [("payerdata", $0)] } ?? [] }

    private static func members(key: SecretKey, k1: String?) -> [JSONObject.Member] {
        let auth = k1.flatMap { try? Challenge(hexadecimal: $0) }.flatMap { try? PayerAuth(answering: $0, with: key) }
        return [
            .init(key: "name", value: "lnurl doctor"), .init(key: "pubkey", value: .string(key.publicKey.hexadecimal)),
            .init(key: "identifier", value: "doctor@wallet.example"),
            .init(key: "email", value: "doctor@wallet.example"),
        ] + (auth.map { [.init(key: "auth", value: $0.json)] } ?? [])
    }

    private static func text(_ members: [JSONObject.Member]) -> String? {
        guard !members.isEmpty else { return nil }
        var object = JSONObject()
        for member in members { object.append(member.key, member.value) }
        return JSONValue.object(object).serialized()
    }

    private static func forging(_ member: JSONObject.Member) -> JSONObject.Member {
        guard member.key.isExactly("auth"), var auth = member.value.object,
            let other = try? SecretKey([UInt8](repeating: 1, count: 32))
        else { return member }
        auth["key"] = .string(other.publicKey.hexadecimal)
        return .init(key: member.key, value: .object(auth))
    }
}
