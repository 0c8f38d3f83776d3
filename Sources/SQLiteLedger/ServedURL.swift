import LNURL
public import LightningCoding
public import Contracts
import SQLiteStorage

extension LedgerDatabase {
    /// Where payers reach the service, as in the addresses of the metadata; nil before the service has first run.
    public func publicURL() async throws(LedgerFault) -> HTTPURL? {
        try await read { connection throws(StorageFault) in
            try connection.first("SELECT public_url FROM service") { row throws(StorageFault) in
                try row.text(0) { try HTTPURL($0) }
            }
        }
    }

    /// Stores where payers reach the service.
    public func keep(publicURL: HTTPURL) async throws(LedgerFault) {
        let url = PublicURL(publicURL)
        let isKept = try await write { connection throws(StorageFault) in
            guard try connection.moveMainDomain(to: url) else { return false }
            try connection.run(
                """
                INSERT INTO service (id, public_url) VALUES (1, ?1)
                ON CONFLICT (id) DO UPDATE SET public_url = excluded.public_url
                """,
                [.text(publicURL.text)]
            )
            return true
        }
        guard isKept else { throw .domainExists(url.domain) }
    }
}
