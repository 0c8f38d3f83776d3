import LightningCoding
public import LightningCrypto

/// The data that a payer provides (LUD-18).
public struct PayerData: Hashable, Sendable {
    /// The JSON text as received after one URL-decoding; in the older version of LUD-18 the invoice commits to it. Nil
    /// when none was sent.
    public let text: String?
    /// Free text.
    public let name: String?
    /// A key of the payer.
    public let pubkey: PublicKey?
    /// A Lightning address, unchecked.
    public let identifier: String?
    /// An e-mail address, unchecked.
    public let email: String?
    /// A signature over the service's challenge.
    public let auth: PayerAuth?

    /// The longest text that is read, in bytes.
    public static let maximumCount = 2048

    /// Parses the payer data of an invoice request, and checks it against the specification. `Challenge.check` checks
    /// that the challenge is ours.
    ///
    /// Fields that were not requested are ignored; `text` still contains them.
    ///
    /// - Parameters:
    ///   - text: the parameter after one URL-decoding; nil when there was none.
    ///   - spec: what the service requests.
    public init(parsing text: String?, against spec: PayerDataSpec) throws(PayerDataFault) {
        let members = try AskedMembers(text, spec)
        self.text = text
        name = try members.string(.name)
        pubkey = try members.publicKey(.pubkey)
        identifier = try members.string(.identifier)
        email = try members.string(.email)
        auth = try members.value(.auth).map { (value) throws(PayerDataFault) in try PayerAuth(json: value) }
        try require(spec)
    }

    /// Creates a payer's data: the given fields, in the order of LUD-18.
    public init(
        name: String? = nil,
        pubkey: PublicKey? = nil,
        identifier: String? = nil,
        email: String? = nil,
        auth: PayerAuth? = nil
    ) {
        self.name = name
        self.pubkey = pubkey
        self.identifier = identifier
        self.email = email
        self.auth = auth
        var object = JSONObject()
        object[PayerDataSpec.Field.name.rawValue] = name.map { .string($0) }
        object[PayerDataSpec.Field.pubkey.rawValue] = pubkey.map { .string($0.hexadecimal) }
        object[PayerDataSpec.Field.identifier.rawValue] = identifier.map { .string($0) }
        object[PayerDataSpec.Field.email.rawValue] = email.map { .string($0) }
        object[PayerDataSpec.Field.auth.rawValue] = auth?.json
        text = object.isEmpty ? nil : JSONValue.object(object).serialized()
    }

    /// The non-empty fields.
    public var fields: Set<PayerDataSpec.Field> {
        var fields: Set<PayerDataSpec.Field> = []
        if name?.isEmpty == false { fields.insert(.name) }
        if pubkey != nil { fields.insert(.pubkey) }
        if identifier?.isEmpty == false { fields.insert(.identifier) }
        if email?.isEmpty == false { fields.insert(.email) }
        if auth != nil { fields.insert(.auth) }
        return fields
    }

    /// Checks that every mandatory field is present: otherwise a service refuses the payment, and a wallet does not
    /// start it.
    public func require(_ spec: PayerDataSpec) throws(PayerDataFault) {
        let fields = fields
        for field in spec.mandatory where !fields.contains(field) { throw .missing(field) }
    }
}

/// The requested members of the JSON object.
private struct AskedMembers {
    private let object: JSONObject
    private let spec: PayerDataSpec

    init(_ text: String?, _ spec: PayerDataSpec) throws(PayerDataFault) {
        self.spec = spec
        guard let text else {
            object = JSONObject()
            return
        }
        guard text.utf8.count <= PayerData.maximumCount else { throw .tooLong }
        let json = try rethrowing(
            JSONValue(parsing: text, limits: JSONLimits(maximumDepth: 8)), as: PayerDataFault.json)
        guard let object = json.object else { throw .notAnObject }
        self.object = object
    }

    func value(_ field: PayerDataSpec.Field) -> JSONValue? {
        guard spec[field] != nil, let value = object[field.rawValue], !value.isNull else { return nil }
        return value
    }

    func string(_ field: PayerDataSpec.Field) throws(PayerDataFault) -> String? {
        guard let value = value(field) else { return nil }
        guard let string = value.string else { throw .malformed(field) }
        return string
    }

    func publicKey(_ field: PayerDataSpec.Field) throws(PayerDataFault) -> PublicKey? {
        guard let text = try string(field) else { return nil }
        return try rethrowing(PublicKey(hexadecimal: text), as: PayerDataFault.malformed(field))
    }
}
