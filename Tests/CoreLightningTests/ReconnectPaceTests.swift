import Platform
import Testing

@testable import CoreLightning

@Suite("Reconnecting with backoff", .timeLimit(.minutes(2)))
struct ReconnectPaceTests {
    private let start = MonotonicTime.now

    @Test("Pauses double from 50 ms to 800 ms, however long it fails")
    func doubling() {
        var pace = ReconnectPace()
        #expect(pace.pause(at: start) == nil)
        var now = start
        for milliseconds in [50, 100, 200, 400, 800, 800] + Array(repeating: 800, count: 100) {
            pace.failed(at: now)
            #expect(pace.pause(at: now) == .milliseconds(milliseconds))
            now += .milliseconds(milliseconds)
            #expect(pace.pause(at: now) == nil)
        }
    }

    @Test("After a response there is no pause, and the next failure starts over")
    func success() {
        var pace = ReconnectPace()
        for _ in 0..<5 { pace.failed(at: start) }
        pace.succeeded()
        #expect(pace.pause(at: start) == nil)
        pace.failed(at: start)
        #expect(pace.pause(at: start) == .milliseconds(50))
    }
}
