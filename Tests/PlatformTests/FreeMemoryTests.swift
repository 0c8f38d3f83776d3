#if canImport(Glibc)
import Foundation
import Glibc
import Testing

@testable import Platform

@Suite("Freed memory", .timeLimit(.minutes(5)))
struct FreeMemoryTests {
    // With a sanitizer, memory is not glibc's.
    @Test(
        "It is given back to the system",
        .enabled(if: dlsym(nil, "__asan_init") == nil && dlsym(nil, "__tsan_init") == nil))
    func giveBack() throws {
        // Small blocks come from the heap; one that is still used keeps glibc from giving back those before it.
        let blocks = (0..<(256 << 10)).map { _ in
            let block = UnsafeMutableRawPointer.allocate(byteCount: 1 << 10, alignment: 1)
            block.initializeMemory(as: UInt8.self, repeating: 1, count: 1 << 10)
            return block
        }
        // Services that other tests run give memory back as well.
        let before = try resident()
        for block in blocks.dropLast() { block.deallocate() }
        FreeMemory.giveBack()
        #expect(try resident() < before - (128 << 20))
        blocks.last?.deallocate()
    }

    /// In bytes.
    private func resident() throws -> Int {
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[1]
        return try #require(Int(pages)) * sysconf(Int32(_SC_PAGESIZE))
    }
}
#endif
