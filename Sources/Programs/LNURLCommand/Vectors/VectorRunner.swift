import BlindedPaths
import Bolt11
import Bolt12
import LNURL
package import LightningCoding
import OnionMessages
import Registrations
import ResponderCore

/// Runs the cases of one operation against the libraries.
///
/// To add one, add it to a list in `Runners/`.
package struct VectorRunner: Sendable {
    /// The folder whose files it runs: `bolt-11`.
    package let standard: String
    /// The `subject` of those files: `decode`.
    package let subject: String
    private let run: @Sendable (VectorInput) async throws -> JSONObject

    /// Creates a runner.
    ///
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

    func judge(_ vector: VectorCase) async -> VectorResult.Outcome {
        do {
            let values = try await run(VectorInput(vector.input))
            return Self.compare(values, with: vector.verdict)
        } catch let fault as InputFault {
            return .failed(reason: "input \(fault.member) is missing or unusable")
        } catch {
            guard let rule = (error as? any NamedRule)?.rule else {
                return .failed(reason: "a fault without the name of a rule: \(error.readableReason)")
            }
            return Self.compare(rule, with: vector.verdict)
        }
    }

    private static func compare(_ values: JSONObject, with verdict: VectorCase.Verdict) -> VectorResult.Outcome {
        switch verdict {
        case .reject(let rules):
            return .failed(reason: "accepted, not rejected by \(rules.joined(separator: " or "))")
        case .expect(let expected):
            for member in expected.members where !isSame(values[member.key], member.value) {
                let found = values[member.key]?.serialized() ?? "nothing"
                return .failed(reason: "\(member.key) is \(found), not \(member.value.serialized())")
            }
            return .passed
        }
    }

    private static func compare(_ rule: String, with verdict: VectorCase.Verdict) -> VectorResult.Outcome {
        switch verdict {
        case .reject(let expected):
            expected.contains(rule)
                ? .passed : .failed(reason: "rejected by \(rule), not by \(expected.joined(separator: " or "))")
        case .expect: .failed(reason: "rejected by \(rule)")
        }
    }

    /// Compares bytes, not texts: equal texts may be encoded differently in Unicode. The order of members counts.
    private static func isSame(_ found: JSONValue?, _ expected: JSONValue) -> Bool {
        found?.serializedBytes() == expected.serializedBytes()
    }
}

/// A rule that an operation checks without a fault of its own.
struct BrokenRule: Error, NamedRule {
    let name: String

    var rule: String { name }
}
