package import LedgerRecords
import Platform
import PostgreSQLLedger
package import ResponderModel

/// A database on a PostgreSQL server, for any number of instances of the service. Only `ledger migrate` makes its tables.
package struct PostgreSQLLedgerKind: LedgerKind {
    private let url: String
    private let passwordFile: String?
    private let connections: Int
    private let timeout: Duration

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
        try await open(in: folder)
    }

    package func migrate(in folder: DataFolder, _ told: (String) -> Void) async throws(LedgerFault) {
        try await ServerLedger.migrate(settings(in: folder), timeout: timeout, told)
    }

    package func steps(
        in folder: DataFolder
    ) async throws(LedgerFault) -> (applied: AppliedSchema, known: [String]) {
        try await ServerLedger.migrations(of: settings(in: folder), timeout: timeout)
    }

    package func advice(in folder: DataFolder) async throws(LedgerFault) -> String? {
        let ledger = try await open(in: folder)
        let (locks, instances) = (try await ledger.lockTable(), try await ledger.instances().count)
        let replication = try await ledger.replication()
        await ledger.close()
        var advice: [String] = []
        if let needed = locks.needed(for: connections * max(instances, 1)) {
            advice.append(
                "set max_locks_per_transaction of the PostgreSQL server to \(needed) or more: the partitions of the "
                    + "invoices need \(locks.each) locks for each connection, and the server has \(locks.capacity) for all"
            )
        }
        let hosts = try settings(in: folder).hostCount
        if replication.isAsynchronous, replication.standbys > 0 || hosts > 1 {
            advice.append(
                "set synchronous_standby_names of the PostgreSQL server, and synchronous_commit to on: it does not wait for "
                    + "its standbys, so a failover may lose invoices that were given out and settlements of the last moments"
            )
        }
        return advice.isEmpty ? nil : advice.joined(separator: "; ")
    }

    package func openToCopy(in folder: DataFolder) async throws(LedgerFault) -> any RecordStore & Ledger {
        try await open(in: folder)
    }

    private func open(in folder: DataFolder) async throws(LedgerFault) -> ServerLedger {
        try await ServerLedger.open(settings(in: folder), lanes: connections, timeout: timeout)
    }

    private func settings(in folder: DataFolder) throws(LedgerFault) -> ServerSettings {
        try ServerSettings(
            url: url, passwordFile: passwordFile, historyFile: folder.path.isEmpty ? nil : folder.ledgerHistory)
    }
}
