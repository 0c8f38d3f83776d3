import LightningCoding
package import LightningCrypto
package import ResponderModel

extension LedgerDatabase {
    /// Stores the first node of that name and rejects every other.
    package func bind(_ backend: BackendName, to node: PublicKey) async throws(LedgerFault) {
        let name = Value.text(backend.description)
        guard try await knownNode(of: name) != node else { return }
        let known = try await write { connection throws(StorageFault) in
            try connection.run(
                "INSERT INTO backend_node (backend, node_id) VALUES (?1, ?2) ON CONFLICT (backend) DO NOTHING",
                [name, .blob(node.bytes)]
            )
            return try connection.knownNode(of: name)
        }
        if let known, known != node { throw .anotherNode(known) }
    }

    /// Deletes the node, the cursor and the followed span together.
    package func unbind(_ backend: BackendName) async throws(LedgerFault) -> Bool {
        let name = Value.text(backend.description)
        return try await write { connection throws(StorageFault) in
            var count = 0
            for table in ["settlement_cursor", "followed_span", "backend_node"] {
                count += try connection.run("DELETE FROM \(table) WHERE backend = ?1", [name])
            }
            return count > 0
        }
    }

    private func knownNode(of name: Value) async throws(LedgerFault) -> PublicKey? {
        try await read { connection throws(StorageFault) in try connection.knownNode(of: name) }
    }
}

extension Connection {
    fileprivate func knownNode(of name: Value) throws(StorageFault) -> PublicKey? {
        try first("SELECT node_id FROM backend_node WHERE backend = ?1", [name]) { row throws(StorageFault) in
            try row.blob(0) { try PublicKey($0) }
        }
    }
}
