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
            guard let rule = Self.rule(of: error) else {
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

extension VectorRunner {
    /// The name, in vector files, of the rule that a library's fault reports; nil fails the case.
    private static func rule(of fault: any Error) -> String? {
        switch fault {
        case let fault as BrokenRule: fault.name
        case let fault as CodingFault: fault.rule
        case let fault as BlindedPathFault: fault.rule
        case let fault as RecipientDataFault: fault.rule
        case let fault as MessageInstruction.Fault: fault.rule
        case let fault as PaymentInstruction.Fault: fault.rule
        case let fault as PaymentPathFault: fault.rule
        case let fault as OnionBuildingFault: fault.rule
        case let fault as OnionFault: fault.rule
        case let fault as HandshakeFault: fault.rule
        case let fault as TransportFault: fault.rule
        case let fault as Bolt11Fault: fault.rule
        case let fault as RecordFault: fault.rule
        case let fault as OfferFault: fault.rule
        case let fault as InvoiceRequestFault: fault.rule
        case let fault as InvoiceFault: fault.rule
        case let fault as InvoiceErrorFault: fault.rule
        case let fault as TargetFault: fault.rule
        case let fault as AddressFault: fault.rule
        case let fault as MetadataFault: fault.rule
        case let fault as LNURLFault: fault.rule
        case let fault as CallbackFault: fault.rule
        case let fault as PayerDataFault: fault.rule
        case let fault as SuccessActionFault: fault.rule
        case let fault as EnvelopeFault: fault.rule
        case let fault as StatementFault: fault.rule
        case let fault as ReplyFault: fault.rule
        default: nil
        }
    }
}

/// A rule that an operation checks without a fault of its own.
package struct BrokenRule: Error {
    package let name: String

    package init(name: String) {
        self.name = name
    }
}
