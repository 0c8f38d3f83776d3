import LightningCoding
import ResponderCore
package import LNURL
import Contracts

extension Installation {
    /// The account to use: the named one, or the only one; `alice` is created when there is none.
    package func meantAccount(_ name: String?) async throws(CommandFailure) -> AddressName {
        if let name {
            let name = try AccountArgument.name(name)
            guard try await accounts().contains(name) else { throw CommandFailure(.no, "no account \(name)") }
            return name
        }
        let names = try await accounts()
        guard let first = names.first else { return try await makeAlice() }
        guard names.count == 1 else {
            throw CommandFailure(.usage, "there are \(names.count) accounts; choose one with --account")
        }
        return first
    }

    private func accounts() async throws(CommandFailure) -> [AddressName] {
        try await CommandFailure.asking(await ledger.accounts().map(\.name))
    }

    private func makeAlice() async throws(CommandFailure) -> AddressName {
        let name = try AccountArgument.name("alice")
        let settings = try standardSettings(of: name)
        return try await awaiting(await editor.put(name, settings).name) { (fault: AccountFault) in
            CommandFailure(fault)
        }
    }
}
