package import ResponderModel
import CPostgreSQL

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The rows that a statement returned, and how many it changed.
package final class ResultSet: @unchecked Sendable {
    // libpq changes nothing in a result once it is complete.
    let handle: OpaquePointer
    /// The column that was read last. Whoever has a result reads it alone.
    private var lastColumn: Int32 = 0

    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        PQclear(handle)
    }

    /// The column of that name, or nil: nearly always the one behind the last, since columns are read in their order.
    func column(named name: StaticString) -> Int32? {
        let count = PQnfields(handle)
        var column = lastColumn
        for _ in 0..<count {
            if column >= count { column = 0 }
            let found = PQfname(handle, column)
            if let found, strcmp(found, UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)) == 0 {
                lastColumn = column
                return column
            }
            column += 1
        }
        return nil
    }

    package var count: Int { Int(PQntuples(handle)) }

    /// How many rows the statement inserted, updated, deleted or returned.
    package var affected: Int { PQcmdTuples(handle).flatMap { Int(String(cString: $0)) } ?? 0 }

    /// What the server says that it did, such as "COMMIT".
    var command: String { PQcmdStatus(handle).map { String(cString: $0) } ?? "" }

    package func first<Element>(
        _ read: (Row) throws(LedgerFault) -> Element
    ) throws(LedgerFault) -> Element? {
        count > 0 ? try read(Row(0, of: self)) : nil
    }

    package func rows<Element>(
        _ read: (Row) throws(LedgerFault) -> Element
    ) throws(LedgerFault) -> [Element] {
        var elements: [Element] = []
        elements.reserveCapacity(count)
        for index in 0..<PQntuples(handle) { elements.append(try read(Row(index, of: self))) }
        return elements
    }
}

extension ResultSet: Sequence {
    package func makeIterator() -> some IteratorProtocol<Row> {
        (0..<PQntuples(handle)).lazy.map { Row($0, of: self) }.makeIterator()
    }
}
