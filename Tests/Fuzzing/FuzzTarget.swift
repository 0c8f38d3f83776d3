/// A decoder that strangers reach, and the rules that hold whatever bytes it is given. Besides a broken rule, a trap, an
/// input that takes seconds and one that takes gigabytes are findings.
package struct FuzzTarget: Sendable {
    /// As in the name of its corpus.
    package let name: String
    /// Throws `BrokenRule`; a refused input is no fault.
    package let check: @Sendable ([UInt8]) throws -> Void

    init(_ name: String, _ check: @escaping @Sendable ([UInt8]) throws -> Void) {
        self.name = name
        self.check = check
    }

    /// A target that reads text.
    init(text name: String, _ check: @escaping @Sendable (String) throws -> Void) {
        self.init(name) { try check(String(decoding: $0, as: UTF8.self)) }
    }

    package static let all = codings + lightning + onionMessages + lnurl + appUsers + nodes
}

package struct BrokenRule: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

func require(_ holds: Bool, _ rule: String) throws {
    guard holds else { throw BrokenRule(rule) }
}

/// What is accepted is written so that it is read as the same value again.
func requireRoundTrip<Input, Value: Equatable>(
    _ input: Input, _ decode: (Input) throws -> Value, _ encode: (Value) throws -> Input
) throws {
    guard let value = try? decode(input) else { return }
    guard let written = try? encode(value) else { throw BrokenRule("what was read cannot be written") }
    guard let again = try? decode(written) else { throw BrokenRule("what was written is refused") }
    try require(again == value, "what was written is read as something else")
}

/// What is accepted is written with the same bytes again.
func requireSameBytes<Value>(
    _ input: [UInt8], _ decode: ([UInt8]) throws -> Value, _ encode: (Value) throws -> [UInt8]
) throws {
    guard let value = try? decode(input) else { return }
    guard let written = try? encode(value) else { throw BrokenRule("what was read cannot be written") }
    try require(written == input, "what was written differs from what was read")
}
