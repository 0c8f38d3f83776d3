/// Why the database did not do what was asked.
public enum StorageFault: Error, Hashable, Sendable {
    /// Another process holds the lock for longer than we wait.
    case busy
    /// The disk is full, or the quota is used up.
    case full
    /// The file or its folder cannot be written.
    case readOnly
    /// The file is damaged, is no database, or does not hold what its schema promises.
    case corrupt(String)
    /// Newer software has added to the schema: how many migrations were found, and how many are known here.
    case newerVersion(found: Int, supported: Int)
    /// A row would break a constraint: the columns (`invoice.payment_hash`) or the name of the check.
    case constraint(String)
    /// A number does not fit into SQLite's integers, which end at 2^63 - 1.
    case outOfRange
    /// Reading or writing failed: SQLite's extended result code and its text.
    case io(code: Int32, message: String)
    /// The database has been closed.
    case closed
}
