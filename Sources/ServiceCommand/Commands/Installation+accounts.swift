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
        guard let account = try await account(named: id) else {
            throw CommandFailure(.no, "no account \(id)")
        }
        return account
    }

    func put(_ id: AccountID, _ settings: AccountSettings) async throws(CommandFailure) -> Account {
        try await awaiting(await editor.put(id, settings)) { (fault: AccountFault) in CommandFailure(fault) }
    }

    /// The same with the webhook URL for forwarders, whose holder can create invoices for this account.
    func reportWithWebhook(_ account: Account) throws(CommandFailure) -> CommandResult {
        account.report(webhook: try webhookSecrets().url(of: account.name, in: account.domain))
    }
}
