import ResponderModel
import PostgreSQLCluster
import TemporaryFolders
import Testing
@testable import PostgreSQLLedger

@Suite(
    "Servers that a failover has left behind", .timeLimit(.minutes(5)),
    .enabled(if: PostgreSQLCluster.isWanted, "\(PostgreSQLCluster.missing ?? "")"))
struct HistoryTests {
    private let folder = TemporaryFolder()
    private var file: String { folder.path + "/timeline" }

    @Test(
        "An older timeline of the same cluster is refused, also by the next run; a later one and another cluster are not"
    )
    func timelines() throws {
        func place(_ cluster: String, _ timeline: UInt32) -> ServerHistory.Place {
            ServerHistory.Place(cluster: cluster, timeline: timeline)
        }
        let history = ServerHistory(file: file)
        for timeline in [1, 1, 3] as [UInt32] { try history.require(place("7", timeline)) }
        for history in [history, ServerHistory(file: file)] {
            #expect(throws: leftBehind(on: 2, of: 3)) {
                try history.require(place("7", 2))
            }
            try history.require(place("7", 3))
            // A server that does not tell is used.
            try history.require(nil)
        }
        try history.require(place("8", 1))
        try ServerHistory(file: file).require(place("8", 1))
    }

    private func leftBehind(on timeline: Int, of latest: Int) -> LedgerFault {
        .unreachable(
            "the PostgreSQL server is on timeline \(timeline), and timeline \(latest) was seen: a failover has left it behind; stop it, or make it a standby (if it is meant to be used, remove \(file))"
        )
    }

    @Test("Of two servers that take writes the one that was left behind is passed over, although it comes first")
    func passedOver() async throws {
        let old = try await PostgreSQLCluster.shared()
        let new = try await PostgreSQLCluster()
        let cluster = try await old.psql("SELECT system_identifier FROM pg_control_system()").split(separator: "\n")[0]
        let url = "postgresql://postgres@127.0.0.1:\(old.port),127.0.0.1:\(new.port)/postgres?sslmode=disable"
        func port(_ url: String) async throws -> Int64? {
            let database = try await Database.open(
                ServerSettings(url: url, historyFile: file), lanes: 2, timeout: .seconds(5))
            defer { database.close() }
            return try await database.read(Query("SELECT current_setting('port')::bigint")).first {
                row throws(LedgerFault) in try row.integer(0)
            }
        }
        #expect(try await port(url) == Int64(old.port))
        try writeFile("\(cluster) 9\n".utf8, to: file)
        #expect(try await port(url) == Int64(new.port))
        try writeFile("\(cluster) 9\n".utf8, to: file)
        await #expect(throws: leftBehind(on: 1, of: 9)) {
            try await port("postgresql://postgres@127.0.0.1:\(old.port)/postgres?sslmode=disable")
        }
    }
}
