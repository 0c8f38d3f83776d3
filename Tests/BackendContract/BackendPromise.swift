public import Testing

/// Something that every backend promises, with the test of it.
///
/// ```swift
/// @Test("A backend keeps its promises", .timeLimit(.minutes(1)), arguments: BackendPromise.all)
/// func keeps(_ promise: BackendPromise) async throws {
///     try await promise.check(aBenchWithANewNode)
/// }
/// ```
public struct BackendPromise: Sendable, CustomTestStringConvertible {
    /// The rule, as a sentence.
    public let rule: String
    /// The test. Where the backend declares that it cannot do what the rule is about, it checks that it says so.
    public let check: @Sendable (any BackendBench) async throws -> Void

    init(_ rule: String, check: @escaping @Sendable (any BackendBench) async throws -> Void) {
        self.rule = rule
        self.check = check
    }

    /// The rule.
    public var testDescription: String { rule }

    /// All that a backend promises.
    public static let all = creation + life + settlements + offers + availability + troubles
}
