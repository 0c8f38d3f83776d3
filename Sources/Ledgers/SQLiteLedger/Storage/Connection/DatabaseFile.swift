import LedgerRecords
import ResponderModel
import Platform

/// Creates a database file that only its owner may open. SQLite gives the `-wal` and `-shm` files the same mode.
enum DatabaseFile {
    /// Creates an empty file, and its folder, unless they exist.
    static func create(at path: String) throws(LedgerFault) {
        guard !PrivateFile(path: path).exists else { return }
        do {
            try PrivateFolder(containing: path).create()
            try PrivateFile(path: path).create([])
        } catch .exists {
            return  // another process was faster
        } catch {
            throw LedgerFault(error)
        }
    }

    /// The file as a URI that tells SQLite that it is immutable.
    static func address(ofUnchanged path: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var address = Array((path.utf8.first == UInt8(ascii: "/") ? "file://" : "file:").utf8)
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"):
                address += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
            default: address.append(byte)
            }
        }
        return String(decoding: address, as: UTF8.self) + "?immutable=1"
    }

    /// How to read a file that this process may not write; nil when it cannot be read without missing what is in its
    /// write-ahead log.
    ///
    /// The log needs its index file, which cannot be created here. If both exist, they are used; if the last process
    /// closed the file properly, neither exists, and the file is complete.
    static func readingAccess(to path: String) throws(LedgerFault) -> Connection.Access? {
        do throws(LedgerFault) {
            let connection = try Connection(path: path, access: .reading)
            _ = try connection.first("SELECT count(*) FROM sqlite_schema") { _ in () }
            return .reading
        } catch {
            switch error {
            case .readOnly, .storage: break
            default: throw error
            }
        }
        return PrivateFile(path: path + "-wal").hasContents ? nil : .readingUnchanged
    }
}
