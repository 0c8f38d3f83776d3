import ServiceSetup
import LightningCoding
import HTTPService
import Platform

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Held by the service while it runs: there is one service at a time per data folder.
///
/// It is a system lock on a file, so it ends with the process in any case. The file says who holds it.
final class ServiceLock: Sendable {
    private let descriptor: Int32

    /// Acquires the lock.
    ///
    /// - Throws: when another process holds it, with that process's address.
    init(at path: String) throws(CommandFailure) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CommandFailure(PrivateFileFault.system(errno: errno), at: path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            guard number == EWOULDBLOCK else { throw CommandFailure(PrivateFileFault.system(errno: number), at: path) }
            let holder = (try? TextFile.read(path, limit: 1_000)).map { String(decoding: $0, as: UTF8.self) } ?? ""
            let words = holder.split(separator: "\n").joined(separator: ", ")
            throw CommandFailure(
                .unavailable,
                "a service runs on \(PrivateFolder(containing: path).path) already"
                    + (words.isEmpty ? "" : ": \(words)")
            )
        }
        ftruncate(descriptor, 0)
    }

    deinit {
        close(descriptor)
    }

    /// Writes the holder's addresses into the file, a name and a value per line.
    func describe(payers: ListenAddress, admin: ListenAddress) {
        let text = Array("pid \(getpid())\npayers \(payers)\nadmin \(admin)\n".utf8)
        _ = text.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    /// The admin address of the service that holds the lock; nil when none does.
    static func adminAddress(at path: String) -> ListenAddress? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // If the lock is free, no service is running.
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0 else { return nil }
        guard let text = try? TextFile.read(path, limit: 1_000) else { return nil }
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") where line.hasPrefix("admin ") {
            return try? ListenAddress(line.dropFirst("admin ".count))
        }
        return nil
    }
}
