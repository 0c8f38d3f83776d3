package import Contracts
package import LedgerRecords
import LightningCoding
import Platform
import PostgreSQLLedger
import PostgreSQLStorage
package import Settings

/// A database on a PostgreSQL server, for any number of instances of the service. Only `ledger migrate` makes its tables.
package struct PostgreSQLLedgerKind: LedgerKind {
    private let url: String
    private let passwordFile: String?
    private let connections: Int
    private let timeout: Duration

    package init?(_ configuration: ServiceConfiguration) {
        guard let url = configuration.ledger.url else { return nil }
        self.init(url: url, configuration)
    }

    /// Another server than the configured one, with the configured password.
    package init(url: String, _ configuration: ServiceConfiguration) {
        self.url = url
        passwordFile = configuration.ledger.passwordFile
        connections = Int(clamping: configuration.ledger.connections)
        timeout = .seconds(Int64(clamping: configuration.ledger.timeout))
    }

    package var isForOneService: Bool { false }

    /// What the server holds is seen when it is opened; here are the keys.
    package func exists(in folder: DataFolder) -> Bool { PrivateFile(path: folder.path).exists }

    package func open(in folder: DataFolder, for access: LedgerAccess) async throws(LedgerFault) -> any Ledger {
        try await open()
    }

    package func migrate(in folder: DataFolder, _ told: (String) -> Void) async throws(LedgerFault) {
        try await ServerLedger.migrate(settings(), told)
    }

    package func steps(in folder: DataFolder) async throws(LedgerFault) -> LedgerSteps {
        let (applied, known) = try await ServerLedger.migrations(of: settings())
        return LedgerSteps(
            applied: applied.steps.map { LedgerSteps.Step(name: $0.name, oldestProgram: $0.oldestProgram) },
            known: known)
    }

    package func advice(in folder: DataFolder) async throws(LedgerFault) -> String? {
        let ledger = try await open()
        let (locks, instances) = (try await ledger.lockTable(), try await ledger.instances().count)
        await ledger.close()
        guard let needed = locks.needed(for: connections * max(instances, 1)) else { return nil }
        return
            "set max_locks_per_transaction of the PostgreSQL server to \(needed) or more: the partitions of the invoices "
            + "need \(locks.each) locks for each connection, and the server has \(locks.capacity) for all"
    }

    package func openToCopy(in folder: DataFolder) async throws(LedgerFault) -> any RecordTarget & Ledger {
        try await open()
    }

    private func open() async throws(LedgerFault) -> ServerLedger {
        try await ServerLedger.open(settings(), lanes: connections, timeout: timeout)
    }

    private func settings() throws(LedgerFault) -> ServerSettings {
        try rethrowing(ServerSettings(url: url, passwordFile: passwordFile)) { (fault: StorageFault) in
            LedgerFault.storage(fault.reason)
        }
    }
}
