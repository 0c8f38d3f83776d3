import Testing

/// A rule of every backend, with its test.
///
/// ```swift
/// @Test("A backend keeps its rules", .timeLimit(.minutes(5)), arguments: BackendRule.all)
/// func keeps(_ rule: BackendRule) async throws {
///     try await rule.check(aFixtureWithANewNode)
/// }
/// ```
package struct BackendRule: Sendable, CustomTestStringConvertible {
    /// The rule, as a sentence.
    package let rule: String
    /// The test. For a capability that the backend does not declare, it checks that the backend reports so.
    package let check: @Sendable (any BackendFixture) async throws -> Void

    init(_ rule: String, check: @escaping @Sendable (any BackendFixture) async throws -> Void) {
        self.rule = rule
        self.check = check
    }

    /// The rule.
    package var testDescription: String { rule }

    /// All rules of a backend.
    package static let all = creation + life + settlements + offers + availability + troubles + forwarding
}
