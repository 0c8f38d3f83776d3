package import ResponderModel
import Testing

/// Something that every ledger must keep to, with the test of it.
///
/// ```swift
/// @Test("A ledger keeps its rules", arguments: LedgerRule.all)
/// func keeps(_ rule: LedgerRule) async throws {
///     try await rule.check(anEmptyLedger)
/// }
/// ```
package struct LedgerRule: Sendable, CustomTestStringConvertible {
    /// The rule, as a sentence.
    package let rule: String
    /// The test, which needs an empty ledger.
    package let check: @Sendable (any Ledger) async throws -> Void

    init(_ rule: String, check: @escaping @Sendable (any Ledger) async throws -> Void) {
        self.rule = rule
        self.check = check
    }

    /// The rule.
    package var testDescription: String { rule }

    /// All that a ledger must keep to.
    package static let all =
        domains + accounts + invoices + listing + settlements + challenges + offers + events + expiry + outbox
        + leases + instances + registrations + devices + messages + whole
}
