import ResponderCore
package import LNURL
package import Contracts
import SQLiteLedger

extension Installation {
    /// The default settings of a new account.
    ///
    /// - Parameter backend: the node that receives; nil for the only one.
    package func standardSettings(
        of name: AddressName, at backend: BackendName? = nil
    ) throws(CommandFailure) -> AccountSettings {
        guard let backend = backend ?? editor.standardBackend else {
            let names = backends.keys.map(\.description).sorted().joined(separator: ", ")
            throw CommandFailure(
                .usage,
                "several nodes are configured: \(names); say which one receives: `account add \(name) --backend …`")
        }
        return AccountSettings(description: editor.standardDescription(of: name), backend: backend)
    }

    /// Accounts that cannot be paid, since their node is no longer configured, as a message for the operator; nil when
    /// there are none.
    package func orphans() async throws(CommandFailure) -> String? {
        let orphans = try await CommandFailure.asking(
            await ledger.accounts().filter { backends[$0.settings.backend] == nil })
        guard let first = orphans.first else { return nil }
        let names = orphans.prefix(5).map { "\($0.name) (\($0.settings.backend))" }.joined(separator: ", ")
        let more = orphans.count > 5 ? " and \(orphans.count - 5) more" : ""
        let configured = backends.keys.map(\.description).sorted().joined(separator: ", ")
        var advice = "`account set \(first.name) --backend …` gives an account one of those that are: \(configured)"
        if orphans.contains(where: { $0.settings.backend == .embedded }) {
            advice += "; `backends: {embedded: {kind: embedded}}` brings the embedded node back"
        }
        return "nobody can pay accounts whose node is not configured: \(names)\(more); \(advice)"
    }
}
