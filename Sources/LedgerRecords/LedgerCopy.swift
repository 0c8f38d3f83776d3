package import Contracts

/// A ledger whose records can be read as they are stored.
package protocol RecordSource: Sendable {
    /// Reads records in one consistent state, as far as the ledger can.
    func readRecords<Result: Sendable>(
        _ body: (any RecordReader) async throws(LedgerFault) -> Result
    ) async throws(LedgerFault) -> Result
}

/// Reads the records of a ledger.
package protocol RecordReader: Sendable {
    /// The next rows of a table, in an order of the ledger's own, and where they end.
    ///
    /// - Parameter mark: where the last ones ended; nil for the beginning.
    func rows(
        of table: LedgerTable, after mark: StoredColumn?, limit: Int
    ) async throws(LedgerFault) -> (rows: [[StoredColumn]], mark: StoredColumn?)
}

/// A ledger that takes records as they are stored.
package protocol RecordTarget: RecordSource {
    /// Adds rows, unless they are there; replaces the one row of a table that has no more.
    func add(_ rows: [[StoredColumn]], to table: LedgerTable) async throws(LedgerFault)

    /// Prepares what was added for use.
    func finishAdding() async throws(LedgerFault)
}

/// Copies all records of a ledger to another one, and compares them afterwards. What is there already is not written
/// again, so an interrupted copy is finished by another one.
package struct LedgerCopy: Sendable {
    private let source: any RecordSource
    private let target: any RecordTarget

    package init(from source: any RecordSource, to target: any RecordTarget) {
        self.source = source
        self.target = target
    }

    /// What was copied of a table.
    package struct Part: Hashable, Sendable {
        package let table: LedgerTable
        package let digest: RecordDigest
    }

    /// Why a copy failed.
    package enum Fault: Error, Hashable, Sendable {
        case ledger(LedgerFault)
        /// The target holds records of another ledger.
        case foreign
        /// The table differs after the copy: the number of rows at both ends.
        case different(table: String, source: Int, target: Int)
    }

    /// Copies and compares.
    ///
    /// - Parameter progress: told of each table while it is copied: its name and how many rows there were so far.
    package func run(_ progress: (String, Int) -> Void = { _, _ in }) async throws(Fault) -> [Part] {
        try await refuseForeign()
        let copied: [Part]
        do throws(LedgerFault) {
            copied = try await source.readRecords { reader throws(LedgerFault) in
                var parts: [Part] = []
                for table in LedgerTable.all {
                    var digest = RecordDigest()
                    try await Self.walk(table, in: reader) { rows throws(LedgerFault) in
                        try await target.add(rows, to: table)
                        for row in rows { digest.add(row, of: table) }
                        progress(table.name, digest.count)
                    }
                    parts.append(Part(table: table, digest: digest))
                }
                return parts
            }
            try await target.finishAdding()
        } catch {
            throw .ledger(error)
        }
        let found = try await digests(of: target)
        for (part, found) in zip(copied, found) where part.digest != found {
            throw .different(table: part.table.name, source: part.digest.count, target: found.count)
        }
        return copied
    }

    /// A target that has a domain which the source does not have is not a copy that was begun.
    private func refuseForeign() async throws(Fault) {
        guard let table = LedgerTable.all.first else { return }
        let isForeign: Bool
        do throws(LedgerFault) {
            let known = try await source.readRecords { reader throws(LedgerFault) in
                try await reader.rows(of: table, after: nil, limit: 100_000).rows
            }
            let there = try await target.readRecords { reader throws(LedgerFault) in
                try await reader.rows(of: table, after: nil, limit: 100_000).rows
            }
            isForeign = !Set(there).isSubset(of: known)
        } catch {
            throw .ledger(error)
        }
        if isForeign { throw .foreign }
    }

    private func digests(of ledger: any RecordSource) async throws(Fault) -> [RecordDigest] {
        do throws(LedgerFault) {
            return try await ledger.readRecords { reader throws(LedgerFault) in
                var digests: [RecordDigest] = []
                for table in LedgerTable.all {
                    var digest = RecordDigest()
                    try await Self.walk(table, in: reader) { rows throws(LedgerFault) in
                        for row in rows { digest.add(row, of: table) }
                    }
                    digests.append(digest)
                }
                return digests
            }
        } catch {
            throw .ledger(error)
        }
    }

    private static let pageSize = 1000

    private static func walk(
        _ table: LedgerTable, in reader: any RecordReader,
        _ body: ([[StoredColumn]]) async throws(LedgerFault) -> Void
    ) async throws(LedgerFault) {
        var mark: StoredColumn?
        repeat {
            let page = try await reader.rows(of: table, after: mark, limit: pageSize)
            if !page.rows.isEmpty { try await body(page.rows) }
            mark = page.rows.count < pageSize ? nil : page.mark
        } while mark != nil
    }
}
