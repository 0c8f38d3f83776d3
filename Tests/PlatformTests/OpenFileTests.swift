import Testing

@testable import Platform

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite("Open files", .timeLimit(.minutes(5)))
struct OpenFileTests {
    @Test("What comes late is waited for, also where a pipe does not block")
    func late() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        #expect(fcntl(reading, F_SETFL, O_NONBLOCK) == 0)
        #expect(write(writing, "a", 1) == 1)
        _ = DetachedThread.start {
            // Once the first letter has been read there is nothing.
            var count: Int32 = 1
            while count > 0, ioctl(reading, UInt(FIONREAD), &count) == 0 { sched_yield() }
            _ = write(writing, "b", 1)
            close(writing)
        }
        #expect(try OpenFile(reading).contents(limit: 2) == Array("ab".utf8))
    }
}
