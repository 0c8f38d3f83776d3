import ServiceSetup

/// The notification that the command line names.
enum NotificationFile {
    /// Longer than any notification can be: what is read of a larger one is enough to refuse it.
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
