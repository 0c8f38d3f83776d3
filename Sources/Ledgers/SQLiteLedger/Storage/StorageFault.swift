import LightningCoding

package enum StorageFault: Error, Hashable, Sendable {
    /// Another process holds the lock too long.
    case busy
    /// The disk is full, or the quota is used up.
    case full
    /// The file or its folder cannot be written.
    case readOnly
    /// The file is damaged, is not a database, or violates its schema.
    case corrupt(String)
    /// Newer software has migrated the schema: how many migrations were found, and how many are known here.
    case newerVersion(found: Int, supported: Int)
    /// A constraint violation: the columns (`invoice.payment_hash`) or the name of the check.
    case constraint(String)
    /// An I/O error: SQLite's extended result code and message.
    case io(code: Int32, message: String)
    /// What was to be written was withdrawn: nothing of it is.
    case withdrawn
    case closed
}

extension StorageFault: ReadableFault {
    package var reason: String {
        switch self {
        case .busy: "the database is locked by another process"
        case .full: "the disk is full"
        case .readOnly: "the database cannot be written"
        case .corrupt(let what): "the database is damaged: \(what)"
        case .newerVersion(let found, let supported):
            "the database was written by a newer version of this software (\(found); this one knows \(supported))"
        case .constraint(let subject): "a row would break a rule: \(subject)"
        case .io(let code, let message): "\(message) (\(code))"
        case .withdrawn: "the write was withdrawn"
        case .closed: "the database has been closed"
        }
    }
}
