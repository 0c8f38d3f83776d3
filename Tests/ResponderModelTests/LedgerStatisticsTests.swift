import ResponderModel
import Testing

@Suite("Statistics of a ledger's commits", .timeLimit(.minutes(5)))
struct LedgerStatisticsTests {
    @Test("A checkpoint takes time and may be the slowest, but is no commit")
    func checkpoint() {
        var statistics = LedgerStatistics()
        statistics.add(writes: 3, in: .milliseconds(5))
        statistics.add(checkpointIn: .milliseconds(7))
        #expect(statistics.commits == 1 && statistics.writes == 3)
        #expect(statistics.time == .milliseconds(12) && statistics.longest == .milliseconds(7))
        statistics.add(checkpointIn: .milliseconds(1))
        #expect(statistics.commits == 1 && statistics.writes == 3)
        #expect(statistics.time == .milliseconds(13) && statistics.longest == .milliseconds(7))
    }
}
