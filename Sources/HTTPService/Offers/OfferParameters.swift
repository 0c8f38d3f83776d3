import LNURL
import LightningCoding
import LightningCrypto
import ResponderCore

/// The operator's request to create an offer:
/// `{"account","amount","description","issuer","quantityMax","expiresIn","maximumPayments","introduction","issuerID"}`.
/// Only `account` is required. The amount is in msat, `expiresIn` in seconds; `introduction` is a node id or an array
/// of them, the preferred first; `issuerID` is false for an offer with paths but no issuer id.
struct OfferParameters: Hashable, Sendable {
    let account: AddressName
    let terms: OfferTerms

    static let bodyLimit = 16_384

    private static let keys: Set<ExactText> = [
        "account", "amount", "description", "issuer", "quantityMax", "expiresIn", "maximumPayments", "introduction",
        "issuerID",
    ]

    init(_ json: JSONValue, peers: [PublicKey], now: UnixTime) throws(AdminFault) {
        guard let object = json.object else { throw .badRequest("the body must be a JSON object") }
        if let strange = object.members.first(where: { !Self.keys.contains(ExactText($0.key)) }) {
            throw .badRequest("\(strange.key) is not a member of an offer")
        }
        guard let name = json["account"]?.string, let account = try? AddressName(name) else {
            throw .badRequest("account must be the name of an account")
        }
        self.account = account
        var terms = OfferTerms(
            description: try object.text("description"),
            amount: try object.count("amount", upTo: Millisatoshi.maximum.msat).map { Millisatoshi($0) },
            way: try Self.way(object, peers)
        )
        terms.mayTakeOtherWay = object["introduction"] == nil && object["issuerID"] != false
        terms.issuer = try object.text("issuer")
        terms.quantityMax = try object.count("quantityMax", from: 0)
        terms.absoluteExpiry = try object.count("expiresIn").map { now.adding(seconds: $0) }
        terms.maximumPayments = try object.count("maximumPayments")
        self.terms = terms
    }

    private static func way(_ object: JSONObject, _ peers: [PublicKey]) throws(AdminFault) -> OfferTerms.Way {
        let withIssuerID: Bool
        switch object["issuerID"] {
        case nil: withIssuerID = true
        case .bool(let flag)?: withIssuerID = flag
        default: throw .badRequest("issuerID must be true or false")
        }
        guard let introduction = object["introduction"] else {
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

extension JSONObject {
    fileprivate func text(_ key: String) throws(AdminFault) -> String? {
        guard let value = self[key] else { return nil }
        guard let text = value.string else { throw .badRequest("\(key) must be text") }
        return text
    }

    fileprivate func count(
        _ key: String,
        from minimum: UInt64 = 1,
        upTo maximum: UInt64 = UInt64(Int64.max)
    ) throws(AdminFault) -> UInt64? {
        guard let value = self[key] else { return nil }
        guard let count = value.uint64, (minimum...maximum).contains(count) else {
            throw .badRequest("\(key) must be a whole number, at least \(minimum)")
        }
        return count
    }
}
