public import LightningCoding

/// Runs the cases of one operation against the libraries.
///
/// To add one, create a file in `Runners/` and list it in `VectorRegistry.all`.
public protocol VectorRunner: Sendable {
    /// The folder whose files it runs: `bolt-11`.
    static var standard: String { get }
    /// The `subject` of those files: `decode`.
    static var subject: String { get }

    /// Runs the operation on one input, and returns every value that a case may compare; a case compares those that it
    /// names. Throws the fault of the library that refuses the input, or `VectorInput.Fault` for an unusable input.
    func run(_ input: VectorInput) async throws -> JSONObject

    /// The rule name of a library's fault; nil fails the case.
    func rule(of fault: any Error) -> String?
}

extension VectorRunner {
    /// Runs a case and compares the result.
    func judge(_ vector: VectorCase) async -> VectorResult.Outcome {
        do {
            let values = try await run(VectorInput(vector.input))
            return Self.compare(values, with: vector.verdict)
        } catch let fault as VectorInput.Fault {
            return .failed(reason: "input \(fault.member) is missing or unusable")
        } catch {
            guard let rule = rule(of: error) else {
                return .failed(reason: "a fault without the name of a rule: \(error.readableReason)")
            }
            return Self.compare(rule, with: vector.verdict)
        }
    }

    private static func compare(_ values: JSONObject, with verdict: VectorCase.Verdict) -> VectorResult.Outcome {
        switch verdict {
        case .reject(let rule):
            return .failed(reason: "accepted, not rejected by \(rule)")
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
        case .reject(rule): .passed
        case .reject(let expected): .failed(reason: "rejected by \(rule), not by \(expected)")
        case .expect: .failed(reason: "rejected by \(rule)")
        }
    }

    /// Compares bytes, not texts: equal texts may be encoded differently in Unicode. The order of members counts.
    private static func isSame(_ found: JSONValue?, _ expected: JSONValue) -> Bool {
        found?.serializedBytes() == expected.serializedBytes()
    }
}
