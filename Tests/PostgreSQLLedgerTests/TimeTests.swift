import LightningCoding
import PostgreSQLCluster
import PostgreSQLLedger
import ResponderModel
import Testing

@Suite(
    "The time of the server", .timeLimit(.minutes(5)),
    .enabled(if: PostgreSQLCluster.isWanted, "\(PostgreSQLCluster.missing ?? "")"))
struct TimeTests {
    @Test("It is told to the millisecond, and goes on")
    func time() async throws {
        let ledger = try await ServerLedger.anew(lanes: 1)
        var last = Duration.zero
        for _ in 0..<3 {
            // The server of the tests is on this machine.
            let before = UnixTime.sinceEpoch()
            let time = try #require(try await ledger.time())
            let after = UnixTime.sinceEpoch()
            #expect(time >= before - .milliseconds(1) && time <= after + .milliseconds(1))
            #expect(time >= last)
            last = time
        }
        #expect(try await ledger.now().seconds >= UInt64(last.components.seconds))
    }
}
