import Settings
import ResponderCore
import ServiceSetup
import HTTPService
import LNURL
import LightningCoding
import Contracts

extension Installation {
    func account(named name: AddressName) async throws(CommandFailure) -> Account? {
        try await CommandFailure.asking(await ledger.account(named: name))
    }

    func existingAccount(named name: AddressName) async throws(CommandFailure) -> Account {
        guard let account = try await account(named: name) else {
            throw CommandFailure(.no, "no account \(name)")
        }
        return account
    }

    func put(_ name: AddressName, _ settings: AccountSettings) async throws(CommandFailure) -> Account {
        try await awaiting(await editor.put(name, settings)) { (fault: AccountFault) in CommandFailure(fault) }
    }

    func report(_ account: Account) -> CommandResult {
        account.report(at: editor.address(of: account.name))
    }

    /// The same with the webhook URL for forwarders, whose holder can create invoices for this account.
    func reportWithWebhook(_ account: Account) throws(CommandFailure) -> CommandResult {
        let webhook = try webhookSecrets().url(of: account.name, at: configuration.publicURL)
        return account.report(at: editor.address(of: account.name), webhook: webhook)
    }
}
