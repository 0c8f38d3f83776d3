public import LightningCoding

/// What a service asks payers about themselves (LUD-18), field by field.
public struct PayerDataSpec: Hashable, Sendable {
    /// How much an asked field is wanted.
    public enum Requirement: Hashable, Sendable {
        /// A payer may leave it out.
        case optional
        /// Without it there is no invoice.
        case mandatory
    }

    /// The fields of LUD-18, in its order.
    public enum Field: String, CaseIterable, Hashable, Sendable {
        /// Free text.
        case name
        /// A public key, 33 bytes.
        case pubkey
        /// A Lightning address.
        case identifier
        /// An e-mail address.
        case email
        /// A signature over the challenge (LUD-04).
        case auth
    }

    /// What is asked; a field that is not in it is not.
    public var requirements: [Field: Requirement]
    /// What `auth` signs. A service adds a new one to each answer; to check what comes back, it needs none here.
    public var k1: Challenge?
    /// Names of mandatory fields that LUD-18 does not know: who cannot supply them must not pay.
    public let unknownMandatory: [String]

    /// A specification.
    public init(_ requirements: [Field: Requirement], k1: Challenge? = nil) {
        self.requirements = requirements
        self.k1 = k1
        unknownMandatory = []
    }

    /// What is asked about a field; nil when nothing is.
    public subscript(_ field: Field) -> Requirement? { requirements[field] }

    /// The fields without which there is no invoice, in the order of LUD-18.
    public var mandatory: [Field] {
        Field.allCases.filter { requirements[$0] == .mandatory }
    }
}

extension PayerDataSpec {
    /// The `payerData` member of the first answer.
    public var json: JSONValue {
        var object = JSONObject()
        for field in Field.allCases {
            guard let requirement = self[field] else { continue }
            var entry: JSONObject = ["mandatory": .bool(requirement == .mandatory)]
            if field == .auth, let k1 { entry.append("k1", .string(k1.hexadecimal)) }
            object.append(field.rawValue, .object(entry))
        }
        return .object(object)
    }

    /// Reads the `payerData` member of a service's answer. A field that is there is asked, and optional unless it says
    /// otherwise.
    init(json: JSONValue) throws(LNURLFault) {
        guard let object = json.object else { throw .malformed(.payerData) }
        requirements = [:]
        var unknownMandatory: [String] = []
        for member in object.members where !member.value.isNull {
            let isMandatory = member.value["mandatory"]?.bool ?? false
            if let field = Field(exactly: member.key) {
                requirements[field] = isMandatory ? .mandatory : .optional
            } else if isMandatory {
                unknownMandatory.append(member.key)
            }
        }
        self.unknownMandatory = unknownMandatory
        guard let auth = object[Field.auth.rawValue], !auth.isNull else { return }
        guard let text = auth["k1"]?.string else { throw .missing(.k1) }
        do {
            k1 = try Challenge(hexadecimal: text)
        } catch {
            throw .malformed(.k1)
        }
    }
}
