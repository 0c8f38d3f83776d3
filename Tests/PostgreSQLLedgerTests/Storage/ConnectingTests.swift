import ResponderModel
import PostgreSQLCluster
import TemporaryFolders
import Testing
import Waiting
@testable import PostgreSQLLedger

@Suite(
    "Connecting with PostgreSQL", .timeLimit(.minutes(5)),
    .enabled(if: PostgreSQLCluster.isWanted, "\(PostgreSQLCluster.missing ?? "")"))
struct ConnectingTests {
    private func works(_ url: String, passwordFile: String? = nil) async throws(LedgerFault) {
        let database = try await Database.open(
            ServerSettings(url: url, passwordFile: passwordFile), lanes: 1, timeout: .seconds(3))
        _ = try await database.read(Query("SELECT 1"))
        database.close()
    }

    @Test("The password comes from a file that only its owner may open, and is in no message")
    func passwords() async throws {
        let cluster = try await PostgreSQLCluster.shared()
        try await cluster.psql(
            "DROP ROLE IF EXISTS guarded; CREATE ROLE guarded LOGIN PASSWORD 'sesame-9'")
        let url = "postgresql://guarded@127.0.0.1:\(cluster.port)/postgres?sslmode=disable"
        let folder = TemporaryFolder()
        let file = folder.path + "/password"
        try writeFile("sesame-9\n".utf8, to: file)
        try await works(url, passwordFile: file)
        try writeFile("wrong-9\n".utf8, to: file)
        await #expect {
            try await works(url, passwordFile: file)
        } throws: { error in
            guard case .unreachable(let text)? = error as? LedgerFault else { return false }
            return text.contains("password authentication failed") && !text.contains("wrong-9")
        }
        try writeFile("sesame-9\n".utf8, to: file, mode: 0o640)
        await #expect {
            try await works(url, passwordFile: file)
        } throws: { error in
            guard case .settings(let text)? = error as? LedgerFault else { return false }
            return text.hasPrefix(file) && !text.contains("sesame")
        }
    }

    @Test(
        "A URL with a password, or that is none, is refused without a word of it",
        arguments: [
            "postgresql://user:sesame@localhost/db", "postgresql://localhost/db?password=sesame",
            "postgresql://localhost/db?sslpassword=sesame",
            "postgresql://localhost/db?sesame", "mysql://sesame", "postgresql://[sesame/db", "host=sesame",
        ])
    func refusedURLs(url: String) {
        #expect {
            _ = try ServerSettings(url: url)
        } throws: { error in
            guard let fault = error as? LedgerFault, case .settings = fault else { return false }
            return !fault.reason.contains("sesame")
        }
    }

    @Test(
        "A URL says where the server is and how the connection is protected, and nothing that would undo it",
        arguments: [
            ("postgresql://a.example/x?sslrootcert=/ca.pem&connect_timeout=9&application_name=pay", nil),
            ("postgresql:///x?service=elsewhere", "service"),
            ("postgresql://localhost/x?service=elsewhere&sslmode=disable", "service"),
            ("postgresql://a.example/x?options=-c%20synchronous_commit%3Doff", "options"),
            ("postgresql://a.example/x?client_encoding=LATIN1", "client_encoding"),
            ("postgresql://a.example/x?replication=true", "replication"),
        ] as [(String, String?)])
    func parameters(url: String, refused: String?) throws {
        guard let refused else {
            #expect(try ServerSettings(url: url).parameter("application_name") == "pay")
            return
        }
        #expect(throws: LedgerFault.settings("the PostgreSQL URL must not have the parameter \(refused)")) {
            try ServerSettings(url: url)
        }
    }

    @Test("The environment may not undo the settings of the session either, or name another server")
    func environment() throws {
        func settings(_ environment: [String: String]) throws -> ServerSettings {
            try ServerSettings(url: "postgresql://localhost/x", passwordFile: nil, standard: environment)
        }
        for (environment, variable) in [
            (["options": "-c synchronous_commit=off"], "PGOPTIONS"), (["service": "elsewhere"], "PGSERVICE"),
            (["service": "elsewhere", "options": "-c synchronous_commit=off"], "PGSERVICE"),
        ] {
            #expect {
                _ = try settings(environment)
            } throws: { error in
                (error as? LedgerFault)?.reason.contains("unset \(variable)") == true
            }
        }
        let kept = try settings(["options": "", "user": "pay", "client_encoding": "LATIN1", "connect_timeout": "9"])
        #expect(kept.parameter("client_encoding") == "UTF8")
        #expect(kept.parameter("connect_timeout") == nil)
    }

    @Test("A server elsewhere must prove its name, unless the URL says otherwise; one on this machine need not")
    func certificatesOfOthers() throws {
        func mode(_ url: String) throws -> String? { try ServerSettings(url: url).parameter("sslmode") }
        #expect(try mode("postgresql://db.example/ledger") == "verify-full")
        #expect(try mode("postgresql://a.example,b.example/ledger") == "verify-full")
        #expect(try mode("postgresql://localhost,b.example/ledger") == "verify-full")
        #expect(try mode("postgresql://db.example/ledger?sslmode=require") == "require")
        for url in ["postgresql://127.0.0.1/x", "postgresql:///x?host=/run/postgresql", "postgresql://[::1]/x"] {
            #expect(try mode(url) == nil)
        }
        #expect(try ServerSettings(url: "postgresql://a/x").parameter("target_session_attrs") == "read-write")
        #expect(
            try ServerSettings(url: "postgresql://a/x?target_session_attrs=any").parameter("target_session_attrs")
                == "any")
    }

    @Test("A certificate is accepted for the name that it was made for, by the authority that is named")
    func certificates() async throws {
        let cluster = try await PostgreSQLCluster.shared()
        let root = cluster.folder.path + "/server.crt"
        func url(_ host: String, _ parameters: String) -> String {
            "postgresql://postgres@\(host):\(cluster.port)/postgres?sslmode=verify-full\(parameters)"
        }
        try await works(url("localhost", "&hostaddr=127.0.0.1&sslrootcert=\(root)"))
        await #expect(throws: LedgerFault.self) { try await works(url("127.0.0.1", "&sslrootcert=\(root)")) }
        await #expect(throws: LedgerFault.self) { try await works(url("localhost", "&hostaddr=127.0.0.1")) }
    }

    @Test("Of several hosts the one that accepts writes is used")
    func failover() async throws {
        let cluster = try await PostgreSQLCluster.shared()
        let nobody = try PostgreSQLCluster.freePort()
        try await works(
            "postgresql://postgres@127.0.0.1:\(nobody),127.0.0.1:\(cluster.port)/postgres?sslmode=disable")
    }

    @Test("A server that is not there is named, with its address")
    func nobody() async throws {
        let port = try PostgreSQLCluster.freePort()
        await #expect {
            try await works("postgresql://postgres@127.0.0.1:\(port)/postgres?sslmode=disable")
        } throws: { error in
            guard case .unreachable(let text)? = error as? LedgerFault else { return false }
            return text.contains("127.0.0.1") && text.contains("refused")
        }
    }

    @Test("A database that is not encoded as UTF-8 is refused")
    func encodings() async throws {
        let cluster = try await PostgreSQLCluster.shared()
        try await cluster.psql("CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1'")
        await #expect {
            try await works(cluster.url("latin"))
        } throws: { error in
            guard case .settings? = error as? LedgerFault else { return false }
            return true
        }
    }

    @Test("A commit waits for the disk even where the database's own setting does not")
    func durableCommits() async throws {
        let cluster = try await PostgreSQLCluster.shared()
        let name = try await cluster.makeDatabase()
        try await cluster.psql("ALTER DATABASE \(name) SET synchronous_commit = off")
        let database = try await Database.open(ServerSettings(url: cluster.url(name)), lanes: 1)
        let mode = try await database.read(Query("SELECT current_setting('synchronous_commit')"))
        #expect(try mode.first { row throws(LedgerFault) in try row.text(0) } == "on")
    }

    @Test(
        "A pooler that hands out sessions by the transaction is refused, and one that does so by the client is not",
        .enabled(if: Pooler.isInstalled, "pgbouncer is not installed"),
        arguments: ["transaction", "statement", "session"])
    func poolers(mode: String) async throws {
        let cluster = try await PostgreSQLCluster.shared()
        let pooler = try Pooler(mode: mode, in: cluster)
        let url = cluster.url("postgres", at: pooler.port)
        var outcome: LedgerFault?
        try await eventually {
            do throws(LedgerFault) {
                try await works(url)
                outcome = nil
            } catch {
                outcome = error
            }
            guard case .unreachable(let text)? = outcome else { return true }
            return !text.contains("refused")
        }
        #expect(outcome == (mode == "session" ? nil : .transactionPooling))
    }

    @Test("Whoever listens hears what is notified, also after its connection was lost")
    func listening() async throws {
        let cluster = try await PostgreSQLCluster.shared()
        let database = try await Database.open(
            ServerSettings(url: cluster.url(try await cluster.makeDatabase())), lanes: 1)
        let heard = Counter()
        let listener = database.listen(to: "things") { heard.count() }
        try await eventually { heard.value == 1 }
        try await database.write(Query("NOTIFY things"))
        try await eventually { heard.value == 2 }
        try await database.write(
            Query(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()
                """))
        try await eventually { heard.value == 3 }
        try await database.write(Query("NOTIFY things"))
        try await eventually { heard.value == 4 }
        _ = consume listener
    }
}
