public import LightningCoding

/// The data that a service requests about payers (LUD-18), field by field.
public struct PayerDataSpec: Hashable, Sendable {
    /// Whether a requested field is required.
    public enum Requirement: Hashable, Sendable {
        /// The payer may omit it.
        case optional
        /// Without it no invoice is issued.
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

    /// The requested fields.
    public var requirements: [Field: Requirement]
    /// What `auth` signs. A service adds a new one to each response; it is not needed to check payer data.
    public var k1: Challenge?
    /// Names of mandatory fields that LUD-18 does not define: a payer who cannot provide them must not pay.
    public let unknownMandatory: [String]

    /// Creates a specification.
    public init(_ requirements: [Field: Requirement], k1: Challenge? = nil) {
        self.requirements = requirements
        self.k1 = k1
        unknownMandatory = []
    }

    /// The requirement of a field; nil when it is not requested.
    public subscript(_ field: Field) -> Requirement? { requirements[field] }

    /// The mandatory fields, in the order of LUD-18.
    public var mandatory: [Field] {
        Field.allCases.filter { requirements[$0] == .mandatory }
    }
}

extension PayerDataSpec {
    /// The `payerData` member of the first response.
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

    /// Parses the `payerData` member of a service's response. A field that is present is requested, and optional by
    /// default.
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
        k1 = try rethrowing(Challenge(hexadecimal: text), as: LNURLFault.malformed(.k1))
    }
}
