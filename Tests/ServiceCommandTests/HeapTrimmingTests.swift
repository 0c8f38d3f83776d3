import Glibc
import Platform
import Testing

@testable import ServiceCommand

@Suite("Memory that is free", .timeLimit(.minutes(1)))
struct HeapTrimmingTests {
    private static let page = UInt(sysconf(Int32(_SC_PAGESIZE)))

    /// How many of the pages at these addresses the process has.
    private func resident(_ addresses: [UInt]) -> Int {
        addresses.count { address in
            var state: UInt8 = 0
            let start = UnsafeMutableRawPointer(bitPattern: address - address % Self.page)
            return mincore(start, Int(Self.page), &state) == 0 && state & 1 == 1
        }
    }

    @Test("What a burst leaves between objects that live longer is given back to the system")
    func burst() {
        let blocks = (0..<40_000).map { _ in
            let block = calloc(1, 1_024)
            block?.storeBytes(of: 1, as: UInt8.self)
            return UInt(bitPattern: block)
        }
        // One in 64 stays: what was given out last lies after none that is free.
        let freed = blocks.indices.filter { $0 % 64 != 63 }.map { blocks[$0] }
        // In the middle of the free ones, where no page is shared with one that stays.
        let between = stride(from: 32, to: blocks.count, by: 64).map { blocks[$0] }
        for block in freed { free(UnsafeMutableRawPointer(bitPattern: block)) }
        #expect(resident(between) > between.count * 9 / 10)
        HeapTrimming.trimOnce()
        // Other tests take memory at the same time.
        #expect(resident(between) < between.count / 2)
        for index in stride(from: 63, to: blocks.count, by: 64) {
            free(UnsafeMutableRawPointer(bitPattern: blocks[index]))
        }
    }

    @Test("Memory is given back again and again, after the interval each time, until the service stops")
    func repeated() async throws {
        let (sleeps, slept) = AsyncStream<Duration>.makeStream()
        let (trims, trimmed) = AsyncStream<Void>.makeStream()
        let clock = MonotonicClock(now: { MonotonicTime(sinceStart: .seconds(1)) }) { moment in
            slept.yield(moment.sinceStart)
            try Task.checkCancellation()
        }
        let trimming = HeapTrimming(clock: clock) { trimmed.yield() }
        let task = Task { try await trimming.run() }
        for await wait in sleeps.prefix(3) { #expect(wait == .seconds(1) + HeapTrimming.interval) }
        for await _ in trims.prefix(2) {}
        task.cancel()
        try await task.value
    }
}
