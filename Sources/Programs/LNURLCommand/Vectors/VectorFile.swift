package import LightningCoding

/// One file of `Vectors/`: cases of one operation of one standard.
package struct VectorFile: Sendable {
    /// Its path relative to the vectors folder: `bolt-11/decode.json`.
    package let path: String
    /// The operation; together with the folder it selects the runner.
    package let subject: String
    /// The cases in order, with unique names.
    package let cases: [VectorCase]

    /// Its folder: `bolt-11`.
    package var folder: String {
        String(path.prefix { $0 != "/" })
    }
}

package struct VectorCase: Sendable {
    package enum Verdict: Hashable, Sendable {
        /// The input is accepted, and yields at least these values.
        case expect(JSONObject)
        /// The input breaks these rules; any may be named.
        case reject(rules: [String])
    }

    package enum Kind: String, CaseIterable, Hashable, Sendable {
        case standard
        /// This project: a limit, or a choice that a document leaves.
        case policy
        /// Nothing but care: no document describes such an input.
        case robustness
    }

    /// A sentence, unique within the file.
    package let name: String
    package let kind: Kind
    package let input: JSONObject
    package let verdict: Verdict
}

extension VectorFile {
    /// Parses a file by the schema described in `Vectors/README.md`.
    package init(parsing bytes: [UInt8], path: String) throws(VectorFault) {
        let file = VectorFileReader(file: path, caseName: nil)
        let limits = JSONLimits(maximumBytes: 1 << 24, maximumDepth: 32, maximumMembers: 1 << 20)
        let document = try rethrowing(JSONValue(parsing: bytes, limits: limits)) { (fault: JSONFault) in
            file.fault("it is not JSON: \(fault.reason)")
        }
        let members = try file.object(
            document, members: ["standard", "subject", "description", "source", "cases", "rules"])
        // For those who read the file.
        for name in ["standard", "description", "source"] { _ = try file.string(name, of: members) }
        self.path = path
        subject = try file.string("subject", of: members)
        cases = try file.cases(of: members)
        try file.requireRules(of: members, rejecting: cases)
    }
}

/// Reads the members of a file or case, and knows which, for its faults.
private struct VectorFileReader {
    let file: String
    let caseName: String?

    func cases(of members: JSONObject) throws(VectorFault) -> [VectorCase] {
        guard let values = members["cases"]?.array else { throw fault(missing: "cases") }
        guard !values.isEmpty else { throw fault("it has no cases") }
        var names: Set<String> = []
        var cases: [VectorCase] = []
        for (index, value) in values.enumerated() {
            let name = value["name"]?.string ?? "case \(index + 1)"
            let reader = VectorFileReader(file: file, caseName: name)
            cases.append(try reader.vectorCase(value))
            guard names.insert(name).inserted else { throw reader.fault("two cases have this name") }
        }
        return cases
    }

    func vectorCase(_ value: JSONValue) throws(VectorFault) -> VectorCase {
        let members = try object(value, members: ["name", "kind", "source", "input", "expect", "reject"])
        guard let input = members["input"]?.object else { throw fault(missing: "input") }
        try requireIntegers(in: value)
        let name = try string("name", of: members)
        guard let kind = VectorCase.Kind(rawValue: try string("kind", of: members)) else {
            throw fault("its kind is none of standard, policy and robustness")
        }
        if members["source"] != nil { _ = try string("source", of: members) }
        return VectorCase(name: name, kind: kind, input: input, verdict: try verdict(of: members))
    }

    /// Every rule that rejects a case must be explained, and no other.
    func requireRules(of members: JSONObject, rejecting cases: [VectorCase]) throws(VectorFault) {
        guard let explained = members["rules"]?.object else { throw fault(missing: "rules") }
        var unused: Set<String> = []
        for name in explained.members.map(\.key) {
            guard name.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil else {
                throw fault("\(name) is not the name of a rule")
            }
            _ = try string(name, of: explained)
            unused.insert(name)
        }
        for vector in cases {
            guard case .reject(let rules) = vector.verdict else { continue }
            for rule in rules where explained[rule] == nil {
                throw VectorFileReader(file: file, caseName: vector.name).fault("the rule \(rule) is not explained")
            }
            unused.subtract(rules)
        }
        if let rule = unused.min() { throw fault("the rule \(rule) rejects no case") }
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
}
