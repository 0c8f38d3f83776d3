import Responding
import Installing
import AddressService
import LNURL
import LightningCoding
import Receiving
import SQLiteLedger

extension Installation {
    func account(named name: AddressName) async throws(CommandFailure) -> Account? {
        try await CommandFailure.asking(await ledger.account(named: name))
    }

    func existingAccount(named name: AddressName) async throws(CommandFailure) -> Account {
        guard let account = try await account(named: name) else {
            throw CommandFailure(.no, "there is no account \(name)")
        }
        return account
    }

    func put(_ name: AddressName, _ settings: AccountSettings) async throws(CommandFailure) -> Account {
        do {
            return try await editor.put(name, settings)
        } catch {
            throw CommandFailure(error)
        }
    }

    func report(_ account: Account) -> CommandResult {
        CommandResult(members: members(of: account))
    }

    /// The same with where a forwarder posts to; who has that can make invoices of this account.
    func reportWithWebhook(_ account: Account) throws(CommandFailure) -> CommandResult {
        var members = members(of: account)
        let webhook = try webhookSecrets().url(of: account.name, at: configuration.publicURL)
        members.append("webhook", .string(webhook.text))
        return CommandResult(members: members)
    }

    private func members(of account: Account) -> JSONObject {
        account.json(address: editor.address(of: account.name).text).object ?? [:]
    }
}

extension CommandResult {
    /// A line for each member, or all of them as one object.
    fileprivate init(members: JSONObject) {
        let lines = members.members.map { "\($0.key): \($0.value.string ?? $0.value.serialized())\n" }
        self.init(text: lines.joined(), json: .object(members))
    }
}
