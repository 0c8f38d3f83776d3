import Contracts
import LedgerRecords
package import Settings

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
        folder = DataFolder(path: text)
        kind = SQLiteLedgerKind()
    }

    /// Whether there is a ledger, as far as that can be seen without opening it.
    package var exists: Bool { folder.map { kind.exists(in: $0) } ?? true }

    /// What was copied of a table.
    package typealias Count = (table: String, count: Int, digest: String)

    /// Copies all records to another place, and compares the two.
    ///
    /// - Parameter progress: told of each table while it is copied: its name, and how many rows there were so far.
    package func copy(
        to target: LedgerPlace, _ progress: (String, Int) -> Void
    ) async throws(CommandFailure) -> [Count] {
        let source = try await open()
        let other: any RecordTarget & Ledger
        do throws(CommandFailure) {
            other = try await target.open()
        } catch {
            await source.close()
            throw error
        }
        let parts: Result<[LedgerCopy.Part], LedgerCopy.Fault>
        do throws(LedgerCopy.Fault) {
            parts = .success(try await LedgerCopy(from: source, to: other).run(progress))
        } catch {
            parts = .failure(error)
        }
        await source.close()
        await other.close()
        switch parts {
        case .success(let parts):
            return parts.map { ($0.table.name, $0.digest.count, $0.digest.hexadecimal) }
        case .failure(.ledger(let fault)): throw CommandFailure(fault)
        case .failure(.foreign):
            throw CommandFailure(.cannotCreate, "the target holds another ledger; copy to an empty one")
        case .failure(.different(let table, let source, let target)):
            throw CommandFailure(.data, "\(table) differs: \(source) rows at the source, \(target) at the target")
        }
    }

    private func open() async throws(CommandFailure) -> any RecordTarget & Ledger {
        let ledger = try await CommandFailure.asking(await kind.openToCopy(in: folder ?? DataFolder(path: "")))
        // A server is not locked: whoever serves it is in it.
        guard folder == nil else { return ledger }
        let running = try await CommandFailure.asking(await ledger.instances())
        guard running.isEmpty else {
            await ledger.close()
            let names = running.map { "\($0.record.id)" }.joined(separator: ", ")
            throw CommandFailure(.unavailable, "the service runs on that ledger: \(names)")
        }
        return ledger
    }
}
