import Platform
import ServiceSetup

enum NotificationFile {
    /// Longer than any notification: reading this much is enough to refuse a larger file.
    private static let limit = 1 << 20

    static func contents(_ path: String) throws(CommandFailure) -> [UInt8] {
        do {
            return try TextFile.read(path == "-" ? "/dev/stdin" : path, limit: limit)
        } catch .tooLong {
            throw CommandFailure(.data, "\(path): the notification is too large")
        } catch {
            throw CommandFailure(.noInput, "\(path): \(error.reason)")
        }
    }
}
