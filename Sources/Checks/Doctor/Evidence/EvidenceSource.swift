import LightningCoding
import LightningCrypto

/// A first answer (LUD-06), read member by member, so that one fault does not hide another.
struct EvidenceSource {
    let evidence: Evidence
    let probe: Probe

    /// The object, unless it is an ERROR.
    func object() throws(Skipped) -> JSONObject {
        let object = try evidence.object(probe)
        guard try evidence.refusal(probe) == nil else { throw Skipped("the address is refused") }
        return object
    }

    /// A member; nil when it is missing, null, or nothing can be read.
    func member(_ name: String) -> JSONValue? {
        (try? object())?[name].flatMap { $0.isNull ? nil : $0 }
    }

    func callback() throws(Skipped) -> HTTPURL {
        guard let text = try object()["callback"]?.string, let url = try? HTTPURL(text) else {
            throw Skipped("there is no callback")
        }
        return url
    }

    /// A number, even one that is written as a text or with an exponent; 0 for a negative one.
    func number(_ name: String) throws(Skipped) -> UInt64 {
        let value = try object()[name]
        if let number = value?.int64, number < 0 { return 0 }
        if let number = value?.uint64 ?? value?.string.flatMap({ UInt64(digits: $0) }) { return number }
        if case .number(let number)? = value, let double = Double(number.literal), double >= 0, double < 9e18 {
            return UInt64(double)
        }
        throw Skipped("there is no \(name)")
    }

    /// Limits that some amount fits.
    func limits() throws(Skipped) -> (minimum: UInt64, maximum: UInt64) {
        let (minimum, maximum) = (max(1, try number("minSendable")), try number("maxSendable"))
        guard minimum <= maximum else { throw Skipped("no amount is allowed") }
        return (minimum, maximum)
    }

    /// How long a comment may be; nil when nothing is said.
    var commentAllowed: UInt64? { try? number("commentAllowed") }

    func metadata() throws(Skipped) -> String {
        guard let text = try object()["metadata"]?.string else { throw Skipped("there is no metadata") }
        return text
    }

    func entries() throws(Skipped) -> [(type: String, content: JSONValue?)] {
        guard let values = try? JSONValue(parsing: try metadata()).array else {
            throw Skipped("the metadata cannot be read")
        }
        return values.compactMap { value in
            guard let items = value.array, let type = items.first?.string else { return nil }
            return (type, items.dropFirst().first)
        }
    }

    func contents(of type: String) throws(Skipped) -> [JSONValue?] {
        try entries().filter { $0.type.isExactly(type) }.map(\.content)
    }

    /// The key that signs zap receipts, when it is one.
    var nostrPubkey: XOnlyPublicKey? {
        guard let text = member("nostrPubkey")?.string, let bytes = try? Hexadecimal.decode(text) else { return nil }
        return try? XOnlyPublicKey(bytes)
    }
}
