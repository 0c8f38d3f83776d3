import Foundation
import Testing

/// What Swift makes of a fault, such as `unreachable("there is no such socket")`, is for nobody but those who write Swift.
@Suite("What people read of faults", .timeLimit(.minutes(1)))
struct FaultTextTests {
    /// Files that interpolate something of that name that is a text already, or for developers alone.
    private static let allowed: Set<String> = []

    private static let faultNames = "error|fault|cause|refusal|outcome|failure|mismatch|silence|end|trial|skipped"

    /// An interpolation that is no more than a fault, by the names that faults have; or by an argument without a name, of a
    /// closure to which a fault is handed; or a description that Swift makes up.
    private static let patterns = [
        #"\\\((?:[A-Za-z_]\w*[?!]?\.)*(?:\#(faultNames))\)"#,
        #"\b(?:\#(faultNames))\??\.(?:map|flatMap) *[({][^}]*\\\(\$0\)"#,
        #"String\((?:describing|reflecting):"#,
        #"\\\((?:[A-Za-z_]\w*[?!]?\.)*(?:kind|problem)\) at"#,
    ]

    private static func faultyLines(of text: String) throws -> [String] {
        let patterns = try Self.patterns.map { try Regex($0) }
        // Bytes first: regular expressions are slow, and few lines have an interpolation.
        return text.utf8.split(separator: UInt8(ascii: "\n")).filter { $0.contains(UInt8(ascii: "(")) }.map {
            String($0) ?? ""
        }
        .filter { line in
            (line.utf8.contains(UInt8(ascii: "\\")) || line.contains("String("))
                && !line.drop { $0 == " " }.hasPrefix("//")
                && patterns.contains { line.contains($0) }
        }
    }

    @Test("No fault is interpolated; its reason is")
    func sources() throws {
        for file in Repository.swiftFiles(below: Repository.sources) where !file.path.contains("/Benchmarks/") {
            guard !Self.allowed.contains(file.lastPathComponent) else { continue }
            for line in try Self.faultyLines(of: Repository.text(file)) {
                Issue.record("\(file.lastPathComponent): \(line)")
            }
        }
    }

    @Test(
        "An interpolated fault is found where it stands",
        arguments: [
            #"throw .refused("\(error)")"#, #"metadata: ["cause": "\(skipped.fault)"]"#,
            #"fault.map { "\($0)" } ?? """#,
            #""the node failed: \(self.error)""#, #"String(describing: error)"#, #""no JSON: \(error.kind) at byte""#,
        ])
    func found(line: String) throws {
        #expect(try Self.faultyLines(of: line).count == 1)
    }

    @Test(
        "A reason, a number and a comment are none",
        arguments: [
            #"throw .refused("\(error.reason)")"#, #""\(fault.offset)""#, #"/// "\(error)""#, #""\(reason)""#,
            #""\(error.readableReason)""#, #""\(endpoint)""#,
        ])
    func passed(line: String) throws {
        #expect(try Self.faultyLines(of: line).isEmpty)
    }
}
