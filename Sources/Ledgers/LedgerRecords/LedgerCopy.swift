package import ResponderModel

package protocol RecordStore: Sendable {
    /// Reads records in one consistent state, as far as the ledger can.
    func readRecords<Result: Sendable>(
        _ body: (any RecordReader) async throws(LedgerFault) -> Result
    ) async throws(LedgerFault) -> Result

    /// The source of the copy that was begun and has not ended, or nil.
    func unfinishedCopy() async throws(LedgerFault) -> String?

    /// Notes the source of a copy that begins, unless another one is noted; nil notes the end.
    func noteUnfinishedCopy(of source: String?) async throws(LedgerFault)

    /// Adds rows, unless they are there; replaces the one row of a table that has no more.
    func add(_ rows: [[StoredValue]], to table: LedgerTable) async throws(LedgerFault)

    /// Prepares what was added for use.
    func finishAdding() async throws(LedgerFault)
}

package protocol RecordReader: Sendable {
    /// The next rows of a table, in an order of the ledger's own, and where they end.
    ///
    /// - Parameter mark: where the last ones ended; nil for the beginning.
    func rows(
        of table: LedgerTable, after mark: StoredValue?, limit: Int
    ) async throws(LedgerFault) -> (rows: [[StoredValue]], mark: StoredValue?)
}

/// Copies all records of a ledger to an empty one, and compares them afterwards. The target keeps a note of the source
/// meanwhile: an interrupted copy is finished by another one of the same ledger, and nothing is ever added to a ledger
/// that is used. U+0000 in texts, which not every ledger can hold, becomes U+FFFD.
package struct LedgerCopy: Sendable {
    private let source: any RecordStore
    private let target: any RecordStore

    package init(from source: any RecordStore, to target: any RecordStore) {
        self.source = source
        self.target = target
    }

    package struct Part: Hashable, Sendable {
        package let table: LedgerTable
        package let digest: RecordDigest
        /// How many texts had a U+0000.
        package let textsWithZero: Int
    }

    package enum Fault: LedgerFaultConvertible, Hashable, Sendable {
        case ledger(LedgerFault)
        /// The target is neither empty nor an unfinished copy of this ledger.
        case foreign
        /// These instances have come up during the copy, which is not finished.
        case inUse(by: [InstanceID])
        /// The table differs after the copy: the number of rows at both ends.
        case different(table: String, source: Int, target: Int)
    }

    /// Copies and compares.
    ///
    /// - Parameters:
    ///   - progress: told of each table while it is copied: its name and how many rows there were so far.
    ///   - running: the instances that serve either ledger, asked at the end; with any, the copy is not finished.
    package func run(
        _ progress: (String, Int) -> Void = { _, _ in },
        running: () async throws(LedgerFault) -> [InstanceID] = { [] }
    ) async throws(Fault) -> [Part] {
        try await begin()
        let copied = try await Fault.asking(await copyRecords(progress))
        let found = try await digests(of: target, LedgerTable.all)
        for (part, found) in zip(copied, found) where part.digest != found {
            throw .different(table: part.table.name, source: part.digest.count, target: found.count)
        }
        let instances = try await Fault.asking(await running())
        if instances.isEmpty { try await Fault.asking(await target.noteUnfinishedCopy(of: nil)) }
        guard instances.isEmpty else { throw .inUse(by: instances) }
        return copied
    }

    private func copyRecords(_ progress: (String, Int) -> Void) async throws(LedgerFault) -> [Part] {
        let copied = try await source.readRecords { reader throws(LedgerFault) in
            var parts: [Part] = []
            for table in LedgerTable.all {
                var digest = RecordDigest()
                var textsWithZero = 0
                try await Self.walk(table, in: reader) { rows throws(LedgerFault) in
                    let rows = rows.map { row in
                        row.map { column in
                            guard case .text(let text) = column, text.utf8.contains(0) else { return column }
                            textsWithZero += 1
                            return .text(text.replacingZero)
                        }
                    }
                    try await target.add(rows, to: table)
                    for row in rows { digest.add(row, of: table) }
                    progress(table.name, digest.count)
                }
                parts.append(Part(table: table, digest: digest, textsWithZero: textsWithZero))
            }
            return parts
        }
        try await target.finishAdding()
        return copied
    }

    /// Notes the copy in the target before anything is added to it.
    private func begin() async throws(Fault) {
        let identity = try await digests(of: source, LedgerTable.identifying).map(\.hexadecimal).joined(separator: " ")
        if try await Fault.asking(await target.unfinishedCopy()) == nil, try await Fault.asking(await isTargetEmpty()) {
            try await Fault.asking(await target.noteUnfinishedCopy(of: identity))
        }
        let isOurs = try await Fault.asking(await target.unfinishedCopy()) == identity
        if !isOurs { throw .foreign }
    }

    /// Tables of one row are made with the others.
    private func isTargetEmpty() async throws(LedgerFault) -> Bool {
        try await target.readRecords { reader throws(LedgerFault) in
            for table in LedgerTable.all where !table.isSingle {
                guard try await reader.rows(of: table, after: nil, limit: 1).rows.isEmpty else { return false }
            }
            return true
        }
    }

    private func digests(
        of ledger: any RecordStore, _ tables: [LedgerTable]
    ) async throws(Fault) -> [RecordDigest] {
        try await Fault.asking(
            await ledger.readRecords { reader throws(LedgerFault) in
                var digests: [RecordDigest] = []
                for table in tables {
                    var digest = RecordDigest()
                    try await Self.walk(table, in: reader) { rows throws(LedgerFault) in
                        for row in rows { digest.add(row, of: table) }
                    }
                    digests.append(digest)
                }
                return digests
            })
    }

    private static let pageSize = 1000

    private static func walk(
        _ table: LedgerTable, in reader: any RecordReader,
        _ body: ([[StoredValue]]) async throws(LedgerFault) -> Void
    ) async throws(LedgerFault) {
        var mark: StoredValue?
        repeat {
            let page = try await reader.rows(of: table, after: mark, limit: pageSize)
            if !page.rows.isEmpty { try await body(page.rows) }
            mark = page.rows.count < pageSize ? nil : page.mark
        } while mark != nil
    }
}

extension SQLLedger {
    package func unfinishedCopy() async throws(LedgerFault) -> String? {
        try await first("SELECT source FROM unfinished_copy") { row throws(LedgerFault) in try row.text("source") }
    }

    package func noteUnfinishedCopy(of source: String?) async throws(LedgerFault) {
        if let source {
            try await change(
                "INSERT INTO unfinished_copy (id, source) VALUES (1, $1) ON CONFLICT (id) DO NOTHING", [.text(source)])
        } else {
            try await change("DELETE FROM unfinished_copy")
        }
    }
}
