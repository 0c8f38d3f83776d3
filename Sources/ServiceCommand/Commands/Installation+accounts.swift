import Settings
import ResponderCore
import ServiceSetup
import HTTPService
import LNURL
import LightningCoding
import Contracts

extension Installation {
    func account(named id: AccountID) async throws(CommandFailure) -> Account? {
        try await CommandFailure.asking(await ledger.account(named: id))
    }

    func existingAccount(named id: AccountID) async throws(CommandFailure) -> Account {
        try Self.existing(try await account(named: id), id)
    }

    static func existing(_ account: Account?, _ id: AccountID) throws(CommandFailure) -> Account {
        guard let account else { throw CommandFailure(.no, "no account \(id)") }
        return account
    }

    /// The same with the webhook URL for forwarders, whose holder can create invoices for this account.
    func reportWithWebhook(_ account: Account) throws(CommandFailure) -> CommandResult {
        account.report(webhook: try webhookSecrets().url(of: account.name, in: account.domain))
    }
}
