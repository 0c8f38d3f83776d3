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
        switch (self, vector.verdict.sorted) {
        case (.skipped(let reason), _): return .skipped(reason: reason)
        case (.rejected(let rule), let verdict): return verdict.outcome(rejectedBy: rule)
        case (.values(let values, let omitted), let verdict):
            let outcome = verdict.outcome(of: values.sorted, omitting: omitted)
            guard outcome == .passed, case .expect(let expected) = verdict, !expected.members.isEmpty,
                expected.members.allSatisfy({ omitted.contains($0.key) })
            else { return outcome }
            return .skipped(reason: "no value that the case expects is known")
        }
    }
}

extension VectorCase.Verdict {
    /// The same with the members of all objects in one order.
    fileprivate var sorted: Self {
        if case .expect(let values) = self { .expect(values.sorted) } else { self }
    }
}

extension JSONObject {
    fileprivate var sorted: JSONObject {
        var sorted = JSONObject()
        for member in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            sorted.append(member.key, member.value.sorted)
        }
        return sorted
    }
}

extension JSONValue {
    fileprivate var sorted: JSONValue {
        switch self {
        case .array(let values): .array(values.map(\.sorted))
        case .object(let object): .object(object.sorted)
        default: self
        }
    }
}
