package import ResponderModel

extension ReceiveBackend {
    /// So many settlements after a cursor, for which it waits.
    package func settlements(_ count: Int, after cursor: SettlementCursor? = nil) async throws -> [Settlement] {
        var found: [Settlement] = []
        for try await report in settlements(after: cursor) {
            if let settlement = try report.get() { found.append(settlement) }
            if found.count == count { break }
        }
        return found
    }
}

/// The fault that a call ends with; nil when it ends well.
package func fault(_ body: () async throws(BackendFault) -> Void) async -> BackendFault? {
    do throws(BackendFault) {
        try await body()
        return nil
    } catch {
        return error
    }
}
