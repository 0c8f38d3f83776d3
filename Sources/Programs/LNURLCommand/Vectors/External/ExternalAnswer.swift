import LightningCoding

enum ExternalAnswer {
    /// Accepted, with these values, without those that it does not know.
    case values(JSONObject, omitted: [String])
    /// Refused, by this rule, or for any reason.
    case rejected(rule: String?)
    case skipped(String)

    /// Parses a line; nil when it is no answer.
    init?(_ line: [UInt8]) {
        let limits = JSONLimits(maximumBytes: 1 << 20, maximumDepth: 32, maximumMembers: 1 << 16)
        guard let json = try? JSONValue(parsing: line, limits: limits) else { return nil }
        switch (json["values"], json["reject"], json["skip"]) {
        case (.object(let values)?, nil, nil):
            self = .values(values, omitted: json["omits"]?.array?.compactMap(\.string) ?? [])
        case (nil, .string(let rule)?, nil): self = .rejected(rule: rule)
        case (nil, .bool(true)?, nil): self = .rejected(rule: nil)
        case (nil, nil, .string(let reason)?): self = .skipped(reason)
        default: return nil
        }
    }

    /// Compares it with what a case expects. The order of members does not count.
    func outcome(of vector: VectorCase) -> VectorResult.Outcome {
        switch (self, vector.verdict) {
        case (.skipped(let reason), _): return .skipped(reason: reason)
        case (.rejected(let rule), .reject(let expected)):
            return rule.map(expected.contains) ?? true
                ? .passed : .failed(reason: "rejected by \(rule ?? ""), not by \(expected.joined(separator: " or "))")
        case (.rejected(let rule), .expect):
            return .failed(reason: "rejected" + (rule.map { " by \($0)" } ?? ""))
        case (.values, .reject(let rules)):
            return .failed(reason: "accepted, not rejected by \(rules.joined(separator: " or "))")
        case (.values(let values, let omitted), .expect(let expected)):
            for member in expected.members where !omitted.contains(member.key) {
                guard values[member.key]?.sorted != member.value.sorted else { continue }
                let found = values[member.key]?.serialized() ?? "nothing"
                return .failed(reason: "\(member.key) is \(found), not \(member.value.serialized())")
            }
            let isCompared = expected.members.isEmpty || expected.members.contains { !omitted.contains($0.key) }
            return isCompared ? .passed : .skipped(reason: "no value that the case expects is known")
        }
    }
}

extension JSONValue {
    /// The same with the members of all objects in one order.
    fileprivate var sorted: JSONValue {
        switch self {
        case .array(let values): return .array(values.map(\.sorted))
        case .object(let object):
            var sorted = JSONObject()
            for member in object.members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                sorted.append(member.key, member.value.sorted)
            }
            return .object(sorted)
        default: return self
        }
    }
}
