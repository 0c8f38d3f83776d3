import LightningCoding

extension VectorFile {
    /// Parses a file by the schema described in `Vectors/README.md`.
    package init(parsing bytes: [UInt8], path: String) throws(VectorFault) {
        let document = try VectorFileReader.document(bytes, path: path)
        let file = VectorFileReader(file: path, caseName: nil)
        let members = try file.object(
            document, members: ["standard", "subject", "description", "source", "cases", "rules"])
        let source = try file.string("source", of: members)
        let cases = try VectorFileReader.cases(of: members, file: file, source: source)
        self.path = path
        self.standard = try file.string("standard", of: members)
        self.subject = try file.string("subject", of: members)
        self.description = try file.string("description", of: members)
        self.rules = try file.rules(of: members, rejecting: cases)
        self.cases = cases
    }
}

/// Reads the members of a file or case, and knows which, for its faults.
private struct VectorFileReader {
    let file: String
    let caseName: String?

    static func document(_ bytes: [UInt8], path: String) throws(VectorFault) -> JSONValue {
        do {
            let limits = JSONLimits(maximumBytes: 1 << 24, maximumDepth: 32, maximumMembers: 1 << 20)
            return try JSONValue(parsing: bytes, limits: limits)
        } catch {
            throw .unusable("\(path): it is not JSON: \(error.reason)")
        }
    }

    static func cases(
        of members: JSONObject, file: VectorFileReader, source: String
    ) throws(VectorFault) -> [VectorCase] {
        guard let values = members["cases"]?.array else { throw file.fault(missing: "cases") }
        guard !values.isEmpty else { throw file.fault("it has no cases") }
        var names: Set<String> = []
        var cases: [VectorCase] = []
        for (index, value) in values.enumerated() {
            let name = value["name"]?.string
            let reader = VectorFileReader(file: file.file, caseName: name ?? "case \(index + 1)")
            let vector = try reader.vectorCase(value, source: source)
            guard names.insert(vector.name).inserted else { throw reader.fault("two cases have this name") }
            cases.append(vector)
        }
        return cases
    }

    func vectorCase(_ value: JSONValue, source: String) throws(VectorFault) -> VectorCase {
        let members = try object(value, members: ["name", "kind", "source", "input", "expect", "reject"])
        guard let input = members["input"]?.object else { throw fault(missing: "input") }
        try requireIntegers(in: value)
        let name = try string("name", of: members)
        guard let kind = VectorCase.Kind(rawValue: try string("kind", of: members)) else {
            throw fault("its kind is none of standard, policy and robustness")
        }
        return VectorCase(
            name: name, kind: kind,
            source: members["source"] == nil ? source : try string("source", of: members),
            input: input, verdict: try verdict(of: members))
    }

    func rules(of members: JSONObject, rejecting cases: [VectorCase]) throws(VectorFault) -> [VectorRule] {
        guard let explained = members["rules"]?.object else { throw fault(missing: "rules") }
        var rules: [VectorRule] = []
        for name in explained.members.map(\.key) {
            guard Self.isRuleName(name) else { throw fault("\(name) is not the name of a rule") }
            rules.append(VectorRule(name: name, explanation: try string(name, of: explained)))
        }
        var unused = Set(rules.map(\.name))
        for vector in cases {
            guard case .reject(let rules) = vector.verdict else { continue }
            for rule in rules where explained[rule] == nil {
                throw VectorFileReader(file: file, caseName: vector.name).fault("the rule \(rule) is not explained")
            }
            unused.subtract(rules)
        }
        if let rule = unused.min() { throw fault("the rule \(rule) rejects no case") }
        return rules
    }

    func object(_ value: JSONValue, members known: Set<String>) throws(VectorFault) -> JSONObject {
        guard let object = value.object else { throw fault("it is not a JSON object") }
        for member in object.members where !known.contains(member.key) { throw fault("\(member.key) is unknown") }
        return object
    }

    func string(_ name: String, of members: JSONObject) throws(VectorFault) -> String {
        guard let text = members[name]?.string, !text.isEmpty else { throw fault(missing: name) }
        return text
    }

    func fault(_ problem: String) -> VectorFault {
        .unusable(caseName.map { "\(file), “\($0)”: \(problem)" } ?? "\(file): \(problem)")
    }

    func fault(missing member: String) -> VectorFault { fault("\(member) is missing, or of another type") }

    private static let ambiguousVerdict =
        "it has both expect and reject, or neither, or a list of fewer than two rules"

    private func verdict(of members: JSONObject) throws(VectorFault) -> VectorCase.Verdict {
        switch (members["expect"], members["reject"]) {
        case (.object(let values), nil): return .expect(values)
        case (nil, .string(let rule)): return .reject(rules: [rule])
        case (nil, .array(let values)):
            let rules = values.compactMap(\.string)
            guard rules.count > 1, rules.count == values.count, Set(rules).count == rules.count else {
                throw fault(Self.ambiguousVerdict)
            }
            return .reject(rules: rules)
        default: throw fault(Self.ambiguousVerdict)
        }
    }

    private func requireIntegers(in value: JSONValue) throws(VectorFault) {
        switch value {
        case .number(let number) where number.uint64 == nil && number.int64 == nil:
            throw fault("a number is not an integer in range")
        case .array(let elements): for element in elements { try requireIntegers(in: element) }
        case .object(let object): for member in object.members { try requireIntegers(in: member.value) }
        default: break
        }
    }

    private static func isRuleName(_ name: String) -> Bool {
        name.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).allSatisfy { word in
            let isLowerCase = word.allSatisfy { character in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(character)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character)
            }
            return !word.isEmpty && isLowerCase
        }
    }
}
