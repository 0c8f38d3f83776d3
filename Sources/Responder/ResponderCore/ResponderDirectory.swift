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
        if let account = try await account(for: recipient) { return account }
        return try await responder(withoutAccount: recipient)
    }

    /// Answers for the account of a recipient; nil when it has none.
    package func account(for recipient: Recipient) async throws(LedgerFault) -> (any PayResponder)? {
        guard let name = recipient.account, let account = try await responder.accounts.account(named: name) else {
            return nil
        }
        return AccountResponder(responder: responder, recipient: recipient, found: account)
    }

    /// Answers for a recipient that has no account: looks for whoever has registered it.
    package func responder(withoutAccount recipient: Recipient) async throws(LedgerFault) -> any PayResponder {
        try await others?(recipient) ?? AccountResponder(responder: responder, recipient: recipient, found: nil)
    }
}
