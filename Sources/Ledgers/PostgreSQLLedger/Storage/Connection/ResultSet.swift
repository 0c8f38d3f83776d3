import CPostgreSQL

/// The rows that a statement returned, and how many it changed.
package final class ResultSet: @unchecked Sendable {
    // libpq changes nothing in a result once it is complete.
    let handle: OpaquePointer

    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        PQclear(handle)
    }

    /// How many rows there are.
    package var count: Int { Int(PQntuples(handle)) }

    /// How many rows the statement inserted, updated, deleted or returned.
    package var affected: Int { PQcmdTuples(handle).flatMap { Int(String(cString: $0)) } ?? 0 }

    /// The first row, or nil.
    package func first<Element>(
        _ read: (Row) throws(StorageFault) -> Element
    ) throws(StorageFault) -> Element? {
        count > 0 ? try read(Row(0, of: self)) : nil
    }

    package func rows<Element>(
        _ read: (Row) throws(StorageFault) -> Element
    ) throws(StorageFault) -> [Element] {
        var elements: [Element] = []
        elements.reserveCapacity(count)
        for index in 0..<PQntuples(handle) { elements.append(try read(Row(index, of: self))) }
        return elements
    }
}
