import LNURL
import LightningCoding
import LightningCrypto
import ResponderCore
import ResponderModel

/// The operator's request to create an offer:
/// `{"account","amount","description","issuer","quantityMax","expiresIn","maximumPayments","introduction","issuerID"}`.
/// Only `account` is required: `alice` in the main domain, or `alice@example.org`. The amount is in msat, `expiresIn` in seconds; `introduction` is a node id or an array
/// of them, the preferred first; `issuerID` is false for an offer with paths but no issuer id.
struct OfferParameters: Hashable, Sendable {
    let account: AccountID
    let terms: OfferTerms

    static let bodyLimit = 16_384

    private static let keys: Set<ExactText> = [
        "account", "amount", "description", "issuer", "quantityMax", "expiresIn", "maximumPayments", "introduction",
        "issuerID",
    ]

    init(_ json: JSONValue, main: DomainName?, peers: [PublicKey], now: UnixTime) throws(AdminFault) {
        let members = try JSONMembers<AdminFault>(json)
        if let strange = members.object.members.first(where: { !Self.keys.contains(ExactText($0.key)) }) {
            throw .badRequest("\(strange.key) is not a member of an offer")
        }
        if let void = members.object.members.first(where: \.value.isNull) {
            throw .badRequest("\(void.key) must not be null")
        }
        account = try members.parsed("account") { text in
            if let main { try AccountID(text, main: main) } else { try AccountID(text) }
        }
        var terms = OfferTerms(
            description: try members.optionalText("description"),
            amount: try members.count("amount", upTo: Millisatoshi.maximum.msat).map { Millisatoshi($0) },
            way: try Self.way(members, peers)
        )
        terms.mayTakeOtherWay = !members.has("introduction") && members.object["issuerID"] != false
        terms.issuer = try members.optionalText("issuer")
        terms.quantityMax = try members.count("quantityMax", from: 0)
        terms.absoluteExpiry = try members.count("expiresIn").map { now.adding(seconds: $0) }
        terms.maximumPayments = try members.count("maximumPayments")
        self.terms = terms
    }

    private static func way(
        _ members: JSONMembers<AdminFault>, _ peers: [PublicKey]
    ) throws(AdminFault) -> OfferTerms.Way {
        let withIssuerID = members.has("issuerID") ? try members.flag("issuerID") : true
        guard let introduction = members.optional("introduction") else {
            if let way = OfferTerms.Way(peers: peers, withIssuerID: withIssuerID) { return way }
            guard withIssuerID else { throw .badRequest("an offer without issuer id needs an introduction") }
            return .issuerID
        }
        let texts = introduction.array ?? [introduction]
        let nodes = texts.compactMap { $0.string.flatMap { try? PublicKey(hexadecimal: $0) } }
        guard nodes.count == texts.count, (1...OfferIssuer.maximumPaths).contains(nodes.count) else {
            throw .badRequest(
                "introduction must be a node id, 66 hexadecimal digits, or an array of 1 to \(OfferIssuer.maximumPaths)"
            )
        }
        return .introductions(nodes, withIssuerID: withIssuerID)
    }
}

extension JSONMembers<AdminFault> {
    fileprivate func count(
        _ key: String, from minimum: UInt64 = 1, upTo maximum: UInt64 = UInt64(Int64.max)
    ) throws(AdminFault) -> UInt64? {
        guard has(key) else { return nil }
        guard let count = try? unsigned(key), (minimum...maximum).contains(count) else {
            throw .badRequest("\(key) must be a whole number, at least \(minimum)")
        }
        return count
    }
}

extension AdminFault: JSONMemberFault {
    init(member path: String, _ problem: JSONMemberProblem) {
        let subject = path.isEmpty ? "the body" : path
        self = .badRequest("\(subject) \(problem.expected.map { "must be \($0)" } ?? "is missing or malformed")")
    }
}
