public import LightningCoding

/// Reads the members of an outside object. Null means absent; unknown members are ignored.
struct MemberReader {
    private let members: JSONMembers<MemberFault>
    private let names: EnvelopeNames

    /// The longest text of a member, in bytes.
    static let maximumText = 2048

    init(_ object: JSONObject, _ names: EnvelopeNames = EnvelopeNames()) {
        members = JSONMembers(object)
        self.names = names
    }

    var object: JSONObject { members.object }

    func value(_ name: String) -> JSONValue? { members.optional(names.payloadMember(name)) }

    /// A required, non-empty string.
    func text(_ name: String, maximum: Int = maximumText) throws(MemberFault) -> String {
        guard let text = try optionalText(name, maximum: maximum) else { throw fault(name, .missing) }
        guard !text.isEmpty else { throw fault(name, .empty) }
        return text
    }

    func optionalText(_ name: String, maximum: Int = maximumText) throws(MemberFault) -> String? {
        guard let text = try members.optionalText(names.payloadMember(name)) else { return nil }
        guard !text.utf8.contains(0) else { throw fault(name, .zero) }
        guard text.utf8.count <= maximum else { throw fault(name, .tooLong(maximum: maximum)) }
        return text
    }

    func unsigned(_ name: String) throws(MemberFault) -> UInt64 { try members.unsigned(names.payloadMember(name)) }

    func hexadecimal(_ name: String, maximum: Int = maximumText) throws(MemberFault) -> [UInt8] {
        let text = try text(name, maximum: maximum)
        return try rethrowing(Hexadecimal.decode(text), as: fault(name, .notHexadecimal))
    }

    func object(_ name: String) throws(MemberFault) -> JSONObject {
        try members.member(names.payloadMember(name)).object
    }

    func fault(_ name: String, _ problem: MemberFault.Problem) -> MemberFault {
        MemberFault(names.payloadMember(name), problem)
    }
}

extension MemberFault: JSONMemberFault {
    /// The member is missing, or of another type.
    public init(member path: String, _ problem: JSONMemberProblem) {
        switch problem {
        case .missing: self.init(path, .missing)
        case .notWholeNumber: self.init(path, .notWholeNumber)
        case .notAnObject: self.init(path, .notAnObject)
        case .notText, .notAFlag, .notAnArray, .malformed: self.init(path, .notText)
        }
    }
}
