package import LightningCoding
import Platform

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Held by the service while it runs, and by commands that keep it from running: there is one service at a time per data
/// folder.
///
/// It is a system lock on a file, so it ends with the process in any case. The file says who holds it.
package final class ServiceLock: Sendable {
    private let descriptor: Int32

    /// How often it is tried: commands that look for a service hold a lock for a moment.
    private static let attempts = 50

    /// - Parameter pause: waits for the next attempt.
    /// - Throws: when another process holds it, with that process's address.
    package init(at path: String, pause: () -> Void = { usleep(10_000) }) throws(CommandFailure) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CommandFailure(PrivateFileFault.system(errno: errno), at: path) }
        var attempt = 1
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let number = errno
            if number == EWOULDBLOCK, attempt < Self.attempts {
                attempt += 1
                pause()
                continue
            }
            guard number == EWOULDBLOCK else { throw CommandFailure(PrivateFileFault.system(errno: number), at: path) }
            let holder = (try? OpenFile(reading: path).contents(limit: 1_000)) ?? []
            let words = String(decoding: holder, as: UTF8.self).split(separator: "\n").joined(separator: ", ")
            let folder = PrivateFolder(containing: path).path
            throw CommandFailure(
                .unavailable,
                words.isEmpty
                    ? "a service is starting on \(folder), or a command keeps services off it"
                    : "a service is already running on \(folder): \(words)")
        }
        ftruncate(descriptor, 0)
    }

    deinit {
        close(descriptor)
    }

    /// Writes the holder's addresses into the file, a name and a value per line.
    package func describe(payers: ListenAddress, admin: ListenAddress) {
        let text = Array("pid \(getpid())\npayers \(payers)\nadmin \(admin)\n".utf8)
        _ = text.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    /// Whether a process holds the lock: a service, or a command that keeps services off the folder.
    package static func isHeld(at path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0
    }

    /// The admin address of the service that holds the lock; nil when none does.
    package static func adminAddress(at path: String) -> ListenAddress? {
        guard isHeld(at: path), let text = try? OpenFile(reading: path).contents(limit: 1_000) else { return nil }
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") where line.hasPrefix("admin ") {
            return try? ListenAddress(line.dropFirst("admin ".count))
        }
        return nil
    }
}
