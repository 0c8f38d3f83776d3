import LNURL
import LightningCoding
package import ResponderModel

/// An account, the node that receives for it, and what can be received now.
///
/// Resolved once per request, so that checks, order and signature agree.
package struct Payee: Sendable {
    package let account: Account
    let node: ReceivingNode
    /// The limits of the account and its node, combined.
    package let limits: ReceiveLimits

    /// Whether the amount can be received.
    ///
    /// - Throws: `amountOutOfLimits`, `amountNotWholeSatoshis`.
    func check(_ amount: Millisatoshi) throws(Refusal) {
        guard limits.contains(amount) else { throw .amountOutOfLimits(limits) }
        if node.capabilities.precision == .wholeSatoshi, !amount.isWholeSatoshi { throw .amountNotWholeSatoshis }
    }

    /// Whether the account accepts such a comment.
    ///
    /// - Throws: `commentTooLong`.
    func check(comment: String?) throws(Refusal) {
        let allowed = account.settings.commentAllowed
        guard Comment.fits(comment ?? "", allowed: allowed) else { throw .commentTooLong(allowed: allowed) }
    }
}

extension Responder {
    package func account(named name: AccountID) async throws(Refusal) -> Account {
        guard let account = try await Refusal.asking(await accounts.account(named: name)) else {
            throw .unknownAccount
        }
        return account
    }

    package func payee(_ account: Account) async throws(Refusal) -> Payee {
        try await awaiting(
            await payee(account, at: try await nodes.node(named: account.settings.backend)), as: Refusal.unavailable)
    }

    func payee(_ account: Account, at node: ReceivingNode) async throws(Refusal.Cause) -> Payee {
        let (domain, own) = (account.domain.settings, account.settings)
        let limits = try await nodes.limits(of: node)
            .narrowed(to: domain.minSendable, domain.maxSendable)?.narrowed(to: own.minSendable, own.maxSendable)?
            .narrowed(toUsual: own.minSendable == nil && domain.minSendable == nil)
        guard let limits else { throw .noLimits(node.name) }
        return Payee(account: account, node: node, limits: limits)
    }
}

extension ReceiveLimits {
    /// Whole-sat wallets stumble over a minimum of less than a sat: it is one unless an operator has said another, or
    /// the maximum is below it.
    fileprivate func narrowed(toUsual isUnsaid: Bool) -> ReceiveLimits? {
        isUnsaid ? narrowed(to: min(AccountSettings.usualMinimum, maximum), nil) : self
    }
}

/// A request and its account, as a key: requests to different accounts may be identical.
struct AccountRequest: Hashable, Sendable {
    let account: AccountID
    let digest: RequestDigest
}
