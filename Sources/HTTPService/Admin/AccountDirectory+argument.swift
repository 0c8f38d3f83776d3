import Contracts
import ResponderCore

extension AccountDirectory {
    /// The account that an operator names: `alice` in the main domain, or `alice@example.org`; nil when it is neither.
    func account(_ text: String) async throws(AdminFault) -> AccountID? {
        guard let main = try await AdminFault.asking(await domains()).main else {
            throw .unavailable("the service is starting; try again")
        }
        return try? AccountID(text, main: main.name)
    }

    /// The account that a list is limited to.
    func account(filter text: String) async throws(AdminFault) -> AccountID {
        guard let account = try await account(text) else {
            throw .badRequest("account must be a name, or a name and a domain: alice@example.org")
        }
        return account
    }
}
