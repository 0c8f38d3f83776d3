import LedgerRecords
import ResponderModel

/// A ledger named on the command line: a data folder, or the URL of a server.
package struct LedgerPlace: Sendable {
    /// The data folder; nil for a server.
    package let folder: DataFolder?
    private let text: String
    private let kind: any LedgerKind

    /// - Parameter configuration: the settings of connections, such as the password file.
    package init(_ text: String, _ configuration: ServiceConfiguration) throws(CommandFailure) {
        self.text = text
        guard !text.contains("://") else {
            folder = nil
            kind = PostgreSQLLedgerKind(url: text, configuration)
            return
        }
        let folder = DataFolder(path: text)
        try folder.requireOwner()
        self.folder = folder
        kind = SQLiteLedgerKind()
    }

    /// Whether there is a ledger, as far as that can be seen without opening it.
    package var exists: Bool { folder.map { kind.exists(in: $0) } ?? true }

    package typealias Count = (table: String, count: Int, digest: String, textsWithZero: Int)

    /// Copies all records to another place, and compares the two.
    ///
    /// - Parameter progress: told of each table while it is copied: its name, and how many rows there were so far.
    package func copy(
        to target: LedgerPlace, _ progress: (String, Int) -> Void
    ) async throws(CommandFailure) -> [Count] {
        let source = try await open()
        let other: any RecordStore & Ledger
        do throws(CommandFailure) {
            other = try await target.open()
        } catch {
            await source.close()
            throw error
        }
        let parts: Result<[LedgerCopy.Part], LedgerCopy.Fault>
        do throws(LedgerCopy.Fault) {
            parts = .success(
                try await LedgerCopy(from: source, to: other).run(progress) { () throws(LedgerFault) in
                    try await self.running(on: source) + target.running(on: other)
                })
        } catch {
            parts = .failure(error)
        }
        await source.close()
        await other.close()
        switch parts {
        case .success(let parts):
            return parts.map { ($0.table.name, $0.digest.count, $0.digest.hexadecimal, $0.textsWithZero) }
        case .failure(.ledger(let fault)): throw CommandFailure(fault)
        case .failure(.foreign):
            throw CommandFailure(.cannotCreate, "the target is in use or holds another ledger; copy to an empty one")
        case .failure(.inUse(let instances)):
            throw Self.inUse(by: instances, "; the copy is not finished: stop it and copy again")
        case .failure(.different(let table, let source, let target)):
            throw CommandFailure(.data, "\(table) differs: \(source) rows at the source, \(target) at the target")
        }
    }

    private func open() async throws(CommandFailure) -> any RecordStore & Ledger {
        let ledger = try await CommandFailure.asking(await kind.openToCopy(in: folder ?? DataFolder(path: "")))
        do throws(CommandFailure) {
            let instances = try await CommandFailure.asking(await running(on: ledger))
            guard instances.isEmpty else { throw Self.inUse(by: instances) }
        } catch {
            await ledger.close()
            throw error
        }
        return ledger
    }

    /// The instances that serve the ledger. A server is not locked, as a folder is: whoever serves it is in it.
    private func running(on ledger: any Ledger) async throws(LedgerFault) -> [InstanceID] {
        guard folder == nil else { return [] }
        let now = try await ledger.now()
        return try await ledger.instances().filter { $0.isAlive(at: now) }.map(\.record.id)
    }

    private static func inUse(by instances: [InstanceID], _ more: String = "") -> CommandFailure {
        let names = instances.map(\.text).joined(separator: ", ")
        return CommandFailure(.unavailable, "the service runs on that ledger: \(names)\(more)")
    }
}
