import LNURL
import LightningCoding
import LightningCrypto

/// Payer data as a service asks for it (LUD-18).
struct PayerDraft: Sendable {
    private let isAsked: Bool
    private let mandatory: Set<ExactText>
    /// What is given of the members that are asked for.
    private let given: JSONObject

    /// Whether a signature is mandatory, each over another challenge: only a few requests can be made then.
    var needsChallenge: Bool { mandatory.contains("auth") }

    /// - Throws: when something mandatory is unknown.
    init(_ answer: EvidenceSource, key: SecretKey) throws(Skipped) {
        let asked = answer.member("payerData")?.object?.members.filter { $0.value.object != nil } ?? []
        let names = asked.map { ExactText($0.key) }
        let challenge = answer.member("payerData")?["auth"]?["k1"]?.string.flatMap { try? Challenge(hexadecimal: $0) }
        let auth = challenge.flatMap { try? PayerAuth(answering: $0, with: key) }
        var given: JSONObject = [
            "name": "lnurl doctor", "pubkey": .string(key.publicKey.hexadecimal),
            "identifier": "doctor@wallet.example", "email": "doctor@wallet.example",
        ]
        given["auth"] = auth?.json
        for member in given.members where !names.contains(ExactText(member.key)) { given[member.key] = nil }
        mandatory = Set(asked.filter { $0.value["mandatory"]?.bool == true }.map { ExactText($0.key) })
        if let unknown = mandatory.first(where: { given[$0.text] == nil }) {
            throw Skipped("the service demands the payer data \"\(unknown.text)\"")
        }
        isAsked = !asked.isEmpty
        self.given = given
    }

    /// The parameter in the request of a probe.
    func items(of probe: Probe) throws(Skipped) -> [(name: String, value: String)] {
        guard isAsked || ![.payerData, .payerDataMissing, .payerDataForged].contains(probe) else {
            throw Skipped("no payer data is asked for")
        }
        var members = given
        switch probe {
        case .payerData: break
        case .payerDataMissing:
            guard !mandatory.isEmpty else { throw Skipped("no payer data is mandatory") }
            return []
        case .payerDataForged:
            guard var auth = given["auth"]?.object, let other = try? SecretKey([UInt8](repeating: 1, count: 32)) else {
                throw Skipped("no signature is asked for")
            }
            auth["key"] = .string(other.publicKey.hexadecimal)
            members["auth"] = .object(auth)
        default:
            for member in given.members where !mandatory.contains(ExactText(member.key)) { members[member.key] = nil }
        }
        return members.members.isEmpty ? [] : [("payerdata", JSONValue.object(members).serialized())]
    }
}
