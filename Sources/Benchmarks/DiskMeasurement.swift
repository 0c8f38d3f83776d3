#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What the disk takes to make one page durable: the floor under everything that is written down.
enum DiskMeasurement {
    struct Failure: Error {
        let code: Int32
    }

    /// Nanoseconds of each of so many appended pages, each with its own fdatasync, in a file that is gone afterwards.
    static func timed(writes: Int, in folder: String) throws -> [UInt64] {
        let path = folder + "/fdatasync"
        let file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure(code: errno) }
        unlink(path)
        defer { close(file) }
        let page = [UInt8](repeating: 0x5a, count: 4096)
        let clock = ContinuousClock()
        return try (0..<writes).map { _ in
            let time = try clock.measure {
                guard write(file, page, page.count) == page.count, synchronize(file) == 0 else {
                    throw Failure(code: errno)
                }
            }
            return time.nanoseconds
        }
    }

    private static func synchronize(_ file: Int32) -> Int32 {
        #if canImport(Darwin)
        fsync(file)
        #else
        fdatasync(file)
        #endif
    }
}
