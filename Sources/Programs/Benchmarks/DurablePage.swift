#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The time the disk takes to make one page durable: the lower bound for every durable write.
final class DurablePage: Sendable {
    private let file: Int32
    private let page = [UInt8](repeating: 0x5a, count: 4096)

    struct Failure: Error {
        let code: Int32
    }

    init(in folder: String) throws(Failure) {
        let path = folder + "/pages"
        file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure(code: errno) }
        unlink(path)
    }

    deinit {
        close(file)
    }

    /// Appends a page, which is on disk on return.
    func append() throws(Failure) {
        guard write(file, page, page.count) == page.count, synchronize() == 0 else { throw Failure(code: errno) }
    }

    private func synchronize() -> Int32 {
        #if canImport(Darwin)
        fsync(file)
        #else
        fdatasync(file)
        #endif
    }
}
