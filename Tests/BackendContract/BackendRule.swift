public import Testing

/// Something that every backend rules, with the test of it.
///
/// ```swift
/// @Test("A backend keeps its rules", .timeLimit(.minutes(1)), arguments: BackendRule.all)
/// func keeps(_ rule: BackendRule) async throws {
///     try await rule.check(aBenchWithANewNode)
/// }
/// ```
public struct BackendRule: Sendable, CustomTestStringConvertible {
    /// The rule, as a sentence.
    public let rule: String
    /// The test. Where the backend declares that it cannot do what the rule is about, it checks that it says so.
    public let check: @Sendable (any BackendFixture) async throws -> Void

    init(_ rule: String, check: @escaping @Sendable (any BackendFixture) async throws -> Void) {
        self.rule = rule
        self.check = check
    }

    /// The rule.
    public var testDescription: String { rule }

    /// All that a backend rules.
    public static let all = creation + life + settlements + offers + availability + troubles
}
