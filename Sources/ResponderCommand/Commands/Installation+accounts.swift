import AddressService
import LNURL
import LightningCoding
import Receiving
import SQLiteLedger

extension Installation {
    func account(named name: AddressName) async throws(CommandFailure) -> Account? {
        do {
            return try await ledger.account(named: name)
        } catch {
            throw CommandFailure(error)
        }
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
        let json = account.json(address: editor.address(of: account.name).text)
        let lines = (json.object?.members ?? []).map { "\($0.key): \($0.value.string ?? $0.value.serialized())\n" }
        return CommandResult(text: lines.joined(), json: json)
    }
}

/// An account's name as it is typed.
enum AccountArgument {
    static func name(_ text: String) throws(CommandFailure) -> AddressName {
        do {
            return try AddressName(text)
        } catch {
            throw CommandFailure(
                .usage,
                "\(text) is no name: it must have 1 to \(AddressName.maximumCount) characters of a-z 0-9 - _ ."
            )
        }
    }
}
