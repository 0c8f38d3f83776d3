package import ResponderModel

/// Who answers for each recipient.
package struct ResponderDirectory: Sendable {
    /// Answers for the accounts, from our own nodes.
    package let responder: Responder
    private let others: Lookup?

    /// Who answers for a recipient without an account; nil for nobody.
    ///
    /// While it throws nobody answers: what was issued here might pay somebody else.
    package typealias Lookup = @Sendable (Recipient) async throws(LedgerFault) -> (any PayResponder)?

    /// - Parameter others: nil when there are only accounts.
    package init(_ responder: Responder, others: Lookup? = nil) {
        self.responder = responder
        self.others = others
    }

    /// Looks a recipient up, and answers for what was found. An account goes before whoever has registered its name.
    package func responder(for recipient: Recipient) async throws(LedgerFault) -> any PayResponder {
        let account =
            if let name = recipient.account { try await responder.accounts.account(named: name) } else {
                nil as Account?
            }
        if account == nil, let other = try await others?(recipient) { return other }
        return AccountResponder(responder: responder, recipient: recipient, found: account)
    }
}
