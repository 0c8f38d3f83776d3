import LightningCoding
import Platform

/// Why a database operation failed. No text holds a password or a part of a connection URL.
package enum StorageFault: Error, Hashable, Sendable {
    /// The settings of the connection are unusable: a sentence.
    case settings(String)
    /// No connection could be made in time: the last failure.
    case unreachable(String)
    /// A failover has left the server behind: its timeline, and the latest that was seen, as noted in a file.
    case leftBehind(timeline: UInt32, latest: UInt32, file: String?)
    /// The server gave no answer to a commit. Nobody knows whether the write took place.
    case outcomeUnknown
    /// A lock or a statement took too long. Nothing was written.
    case busy
    /// All connections were in use for so long. Nothing was written.
    case noConnection(within: Duration)
    /// The same rows were changed by others at the same moment, every time that it was tried. Nothing was written.
    case conflict
    case full
    /// The server accepts no writes, as one that follows another.
    case readOnly
    /// A constraint violation, by the constraint's name.
    case constraint(String)
    case missingPartition
    /// A column holds what its table cannot hold, or the server answered what it should not.
    case corrupt(String)
    /// A number exceeds the server's integers, which end at 2^63 - 1.
    case outOfRange
    /// A text holds U+0000, which the server's texts cannot.
    case nullCharacter
    /// A pooler hands each transaction to another session of the server.
    case transactionPooling
    /// The database has no tables of ours.
    case missingSchema
    /// The tables are older than this software needs.
    case olderSchema(found: Int, needed: Int)
    /// The tables are newer than this software can use.
    case newerSchema(found: Int, supported: Int)
    /// Another error of the server: its SQLSTATE and message.
    case server(code: String, message: String)
    case closed
}

extension StorageFault: ReadableFault {
    package var reason: String {
        switch self {
        case .settings(let what): what
        case .unreachable(let what): "PostgreSQL cannot be reached: \(what)"
        case .leftBehind(let timeline, let latest, let file):
            "the PostgreSQL server is on timeline \(timeline), and timeline \(latest) was seen: a failover has left it behind; stop it, or make it a standby"
                + (file.map { " (if it is meant to be used, remove \($0))" } ?? "")
        case .outcomeUnknown: "PostgreSQL did not say whether it has written"
        case .busy: "PostgreSQL took too long"
        case .noConnection(let time): "no free connection within \(Double(time.wholeMilliseconds) / 1000) s"
        case .conflict: "others changed the same rows each time"
        case .full: "the disk of the PostgreSQL server is full"
        case .readOnly: "the PostgreSQL server accepts no writes"
        case .constraint(let name): "a row would break a rule: \(name)"
        case .missingPartition: "no partition takes the row"
        case .corrupt(let what): "the database is damaged: \(what)"
        case .outOfRange: "a number is above 2^63 - 1"
        case .nullCharacter: "a text holds U+0000"
        case .transactionPooling:
            "a connection pooler hands each transaction to another session; connect directly, or set its pool mode to session"
        case .missingSchema: "the database has no tables yet"
        case .olderSchema(let found, let needed): "the tables are older than needed (\(found); needed are \(needed))"
        case .newerSchema(let found, let supported):
            "the tables are newer than this software can use (\(found); this one knows \(supported))"
        case .server(let code, let message): "\(message) (\(code))"
        case .closed: "the database has been closed"
        }
    }
}
