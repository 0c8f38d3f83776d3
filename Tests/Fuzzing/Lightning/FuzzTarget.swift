import Foundation

/// A decoder that strangers reach, and the rules that hold whatever bytes it is given. Besides a broken rule, a trap, an
/// input that takes seconds and one that takes gigabytes are findings.
package struct FuzzTarget: Sendable {
    /// As in the name of its corpus.
    package let name: String
    /// Throws `BrokenRule`; a refused input is no fault.
    package let check: @Sendable ([UInt8]) throws -> Void

    package init(_ name: String, _ check: @escaping @Sendable ([UInt8]) throws -> Void) {
        self.name = name
        self.check = check
    }

    /// A target that reads text.
    package init(text name: String, _ check: @escaping @Sendable (String) throws -> Void) {
        self.init(name) { try check(String(decoding: $0, as: UTF8.self)) }
    }

    package static let ofLibraries = codings + lightning + onionMessages + lnurl

    /// The one of these that the fuzzer is to run.
    package static func chosen(from targets: [FuzzTarget]) -> FuzzTarget {
        let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
        guard let target = targets.first(where: { $0.name == name }) else {
            fatalError("FUZZ_TARGET names no target: \(name)")
        }
        return target
    }

    /// What the fuzzer calls with each of its inputs; a broken rule ends the process.
    package func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        do {
            try check(Array(UnsafeBufferPointer(start: start, count: count)))
        } catch {
            fatalError("\(error)")
        }
        return 0
    }
}

package struct BrokenRule: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

package func require(_ holds: Bool, _ rule: String) throws {
    guard holds else { throw BrokenRule(rule) }
}

/// What is accepted is written so that it is read as the same value again.
package func requireRoundTrip<Input, Value: Equatable>(
    _ input: Input, _ decode: (Input) throws -> Value, _ encode: (Value) throws -> Input
) throws {
    guard let value = try? decode(input) else { return }
    guard let written = try? encode(value) else { throw BrokenRule("what was read cannot be written") }
    guard let again = try? decode(written) else { throw BrokenRule("what was written is refused") }
    try require(again == value, "what was written is read as something else")
}

/// What is accepted is written with the same bytes again.
package func requireSameBytes<Value>(
    _ input: [UInt8], _ decode: ([UInt8]) throws -> Value, _ encode: (Value) throws -> [UInt8]
) throws {
    guard let value = try? decode(input) else { return }
    guard let written = try? encode(value) else { throw BrokenRule("what was read cannot be written") }
    try require(written == input, "what was written differs from what was read")
}
