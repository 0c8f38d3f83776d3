import LightningCoding
import ServiceSetup
import HTTPService
import Platform

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Held by the service for as long as it runs: of a data folder there is one service at a time.
///
/// The lock is the system's on a file, and so ends with the process, however that ends. The file says who holds it.
final class ServiceLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock.
    ///
    /// - Throws: when another process has it, with where that one answers.
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

    /// Says in the file who holds it, a word and a value on each line.
    func describe(payers: ListenAddress, admin: ListenAddress) {
        let text = Array("pid \(getpid())\npayers \(payers)\nadmin \(admin)\n".utf8)
        _ = text.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    /// Where the service that holds the lock answers the operator; nil when none does.
    static func adminAddress(at path: String) -> ListenAddress? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // Whoever gets the lock finds no service.
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0 else { return nil }
        guard let text = try? TextFile.read(path, limit: 1_000) else { return nil }
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") where line.hasPrefix("admin ") {
            return try? ListenAddress(line.dropFirst("admin ".count))
        }
        return nil
    }
}
