import LightningCoding

/// Reads the members of an outside object. Null means absent; unknown members are ignored.
struct MemberReader {
    let object: JSONObject
    let names: EnvelopeNames

    /// The longest text of a member, in bytes.
    static let maximumText = 2048

    func value(_ name: String) -> JSONValue? {
        guard let value = object[names.payloadMember(name)], !value.isNull else { return nil }
        return value
    }

    /// A required, non-empty string.
    func text(_ name: String, maximum: Int = maximumText) throws(MemberFault) -> String {
        guard let text = try optionalText(name, maximum: maximum) else { throw fault(name, .missing) }
        guard !text.isEmpty else { throw fault(name, .empty) }
        return text
    }

    func optionalText(_ name: String, maximum: Int = maximumText) throws(MemberFault) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.string else { throw fault(name, .notText) }
        guard text.utf8.count <= maximum else { throw fault(name, .tooLong(maximum: maximum)) }
        return text
    }

    func unsigned(_ name: String) throws(MemberFault) -> UInt64 {
        guard let value = value(name) else { throw fault(name, .missing) }
        guard let number = value.uint64 else { throw fault(name, .notWholeNumber) }
        return number
    }

    func hexadecimal(_ name: String, maximum: Int = maximumText) throws(MemberFault) -> [UInt8] {
        let text = try text(name, maximum: maximum)
        do {
            return try Hexadecimal.decode(text)
        } catch {
            throw fault(name, .notHexadecimal)
        }
    }

    func object(_ name: String) throws(MemberFault) -> JSONObject {
        guard let value = value(name) else { throw fault(name, .missing) }
        guard let object = value.object else { throw fault(name, .notAnObject) }
        return object
    }

    func fault(_ name: String, _ problem: MemberFault.Problem) -> MemberFault {
        MemberFault(names.payloadMember(name), problem)
    }
}
