public import Receiving
public import Testing

/// Something that every ledger promises, with the test of it.
///
/// ```swift
/// @Test("A ledger keeps its promises", arguments: Promise.all)
/// func keeps(_ promise: Promise) async throws {
///     try await promise.check(anEmptyLedger)
/// }
/// ```
public struct Promise: Sendable, CustomTestStringConvertible {
    /// The rule, as a sentence.
    public let rule: String
    /// The test, which wants a ledger with nothing in it.
    public let check: @Sendable (any Ledger & Outbox) async throws -> Void

    init(_ rule: String, check: @escaping @Sendable (any Ledger & Outbox) async throws -> Void) {
        self.rule = rule
        self.check = check
    }

    /// The rule.
    public var testDescription: String { rule }

    /// All that a ledger promises.
    public static let all =
        accounts + invoices + listing + settlements + challenges + offers + events + expiry + outbox
}
