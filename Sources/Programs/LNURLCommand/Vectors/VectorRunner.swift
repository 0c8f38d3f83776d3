package import LightningCoding

/// Runs the cases of one operation against the libraries.
///
/// To add one, add it to a list in `Runners/`.
package struct VectorRunner: Sendable {
    /// The folder whose files it runs: `bolt-11`.
    package let standard: String
    /// The `subject` of those files: `decode`.
    package let subject: String
    private let run: @Sendable (VectorInput) async throws -> JSONObject

    /// - Parameter run: runs the operation on one input, and returns every value that a case may compare; a case
    ///   compares those that it names. Throws the fault of the library that refuses the input, or `InputFault`
    ///   for an unusable input.
    package init(
        _ standard: String, _ subject: String, run: @escaping @Sendable (VectorInput) async throws -> JSONObject
    ) {
        self.standard = standard
        self.subject = subject
        self.run = run
    }

    package static let all = [
        coding, blindedPaths, onionMessages, bolt11, bolt12, lnurl, responder, http, registration, push,
    ].flatMap(\.self)

    fileprivate func judge(_ vector: VectorCase) async -> VectorResult.Outcome {
        do {
            let values = try await run(VectorInput(vector.input))
            return vector.verdict.outcome(of: values)
        } catch let fault as InputFault {
            return .failed(reason: "input \(fault.member) is missing or unusable")
        } catch {
            guard let rule = (error as? any NamedRule)?.rule else {
                return .failed(reason: "a fault without the name of a rule: \(error.readableReason)")
            }
            return vector.verdict.outcome(rejectedBy: rule)
        }
    }
}

extension [VectorRunner] {
    /// Runs every file of a folder. An invalid file fails; the others still run. Throws `unreadable`.
    package func run(_ folder: VectorFolder) async throws(VectorFault) -> VectorReport {
        try await folder.report { await judge($1, of: $0) }
    }

    /// Runs a case of a file. Without a runner for the file's folder and subject, it fails.
    func judge(_ vector: VectorCase, of file: VectorFile) async -> VectorResult.Outcome {
        let runner = first { $0.standard == file.folder && $0.subject == file.subject }
        return await runner?.judge(vector) ?? .failed(reason: "no runner for \(file.folder), \(file.subject)")
    }
}

extension VectorCase.Verdict {
    /// Compares what came out with what is expected, byte for byte: equal texts may be encoded differently in Unicode.
    ///
    /// - Parameter omitted: members that are not compared.
    func outcome(of values: JSONObject, omitting omitted: [String] = []) -> VectorResult.Outcome {
        switch self {
        case .reject(let rules):
            return .failed(reason: "accepted, not rejected by \(rules.joined(separator: " or "))")
        case .expect(let expected):
            for member in expected.members where !omitted.contains(member.key) {
                guard values[member.key]?.serializedBytes() != member.value.serializedBytes() else { continue }
                let found = values[member.key]?.serialized() ?? "nothing"
                return .failed(reason: "\(member.key) is \(found), not \(member.value.serialized())")
            }
            return .passed
        }
    }

    /// - Parameter rule: nil when it is not known.
    func outcome(rejectedBy rule: String?) -> VectorResult.Outcome {
        switch self {
        case .reject(let expected):
            rule.map(expected.contains) ?? true
                ? .passed : .failed(reason: "rejected by \(rule ?? ""), not by \(expected.joined(separator: " or "))")
        case .expect: .failed(reason: "rejected" + (rule.map { " by \($0)" } ?? ""))
        }
    }
}

/// A rule that an operation checks without a fault of its own.
struct BrokenRule: Error, NamedRule {
    let rule: String
}

/// The input of a case. A runner reads it member by member; a missing or mistyped member is a fault of the case and
/// fails it, even when rejection is expected.
package typealias VectorInput = JSONMembers<InputFault>

package struct InputFault: JSONMemberFault, Hashable {
    /// The member that is missing or unusable, by its path.
    package let member: String

    package init(member path: String, _ problem: JSONMemberProblem = .malformed) { member = path }
}

extension VectorInput {
    /// Bytes, in lower-case hexadecimal.
    package func bytes(_ name: String) throws(InputFault) -> [UInt8] {
        try parsed(name) { text in
            let bytes = try Hexadecimal.decode(text)
            return Hexadecimal.encode(bytes) == text ? bytes : nil
        }
    }
}
