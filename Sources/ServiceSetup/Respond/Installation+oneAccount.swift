import LightningCoding
import ResponderCore
package import Contracts

extension Installation {
    /// The account to use: the named one, or the only one; `alice` is created when there is none.
    package func meantAccount(_ name: String?) async throws(CommandFailure) -> AccountID {
        if let name {
            let account = id(of: try AccountArgument(name))
            guard try await CommandFailure.asking(await ledger.account(named: account)) != nil else {
                throw CommandFailure(.no, "no account \(account)")
            }
            return account
        }
        let names = try await accounts()
        guard let first = names.first else { return try await makeAlice() }
        guard names.count == 1 else {
            throw CommandFailure(.usage, "there are \(names.count) accounts; choose one with --account")
        }
        return first
    }

    private func accounts() async throws(CommandFailure) -> [AccountID] {
        try await CommandFailure.asking(await ledger.accounts().map(\.id))
    }

    private func makeAlice() async throws(CommandFailure) -> AccountID {
        let alice = id(of: try AccountArgument("alice"))
        let settings = try await standardSettings(of: alice)
        return try await editor.put(alice, as: CommandFailure.init) { existing throws(CommandFailure) in
            existing?.settings ?? settings
        }.id
    }
}
