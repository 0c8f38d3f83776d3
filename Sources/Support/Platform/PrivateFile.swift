#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A file that only its owner may open (mode 0600): a key, a token, a ledger.
package struct PrivateFile: Hashable, Sendable {
    package let path: String

    /// Names a file, which may not exist yet.
    package init(path: String) {
        self.path = path
    }

    /// Whether a file or folder of that name exists.
    package var exists: Bool { access(path, F_OK) == 0 }

    /// Whether the file exists and is not empty.
    package var hasContents: Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_size > 0
    }

    /// The permission bits, such as 0o640, when users other than the owner have access; nil when they have none or the
    /// file does not exist.
    package var modeOpenToOthers: UInt16? {
        var facts = stat()
        guard stat(path, &facts) == 0, facts.st_mode & 0o077 != 0 else { return nil }
        return UInt16(facts.st_mode & 0o7777)
    }

    /// Creates the file with these contents, complete and durable on return.
    ///
    /// If several processes create it at once, exactly one succeeds, and readers never see a part: the contents are
    /// first written under another name and then linked.
    ///
    /// - Throws: `exists` when the file exists; it is then unchanged.
    package func create(_ contents: some Collection<UInt8>) throws(PrivateFileFault) {
        var name = Array((path + ".XXXXXX").utf8CString)
        let file = try OpenFile(mkstemp(&name))  // mode 0600, whatever the umask
        let temporary = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer { unlink(temporary) }
        try file.write(Array(contents))
        try file.synchronize()
        guard link(temporary, path) == 0 else { throw PrivateFileFault(errno: errno) }
        try PrivateFolder(containing: path).synchronize()
    }

    /// Reads the file.
    ///
    /// - Parameters:
    ///   - limit: its maximum length, in bytes.
    ///   - isSecret: false for a certificate, which others may read.
    /// - Throws: `openToOthers` when group or others have any permission on a secret one, before a byte is read.
    package func contents(limit: Int, isSecret: Bool = true) throws(PrivateFileFault) -> [UInt8] {
        let file = try OpenFile(reading: path, isRegular: true)
        let mode = try file.facts().st_mode
        guard !isSecret || mode & 0o077 == 0 else { throw .openToOthers(mode: UInt16(mode & 0o7777)) }
        return try file.contents(limit: limit)
    }

    /// Deletes the file, if it exists.
    package func remove() {
        unlink(path)
    }
}

/// Why a file was not created, read or written.
package enum PrivateFileFault: Error, Hashable, Sendable {
    /// There is no such file.
    case notFound
    case exists
    /// Users other than the owner have access: its permission bits, such as 0o644.
    case openToOthers(mode: UInt16)
    /// It is a folder, a device or a pipe.
    case notAFile
    case tooLong
    /// A system error, by its number.
    case system(errno: Int32)

    package init(errno number: Int32) {
        self =
            switch number {
            case ENOENT: .notFound
            case EEXIST, ENOTEMPTY: .exists
            default: .system(errno: number)
            }
    }

    /// The text for people, to follow the file's name.
    package var reason: String {
        switch self {
        case .notFound: "no such file"
        case .exists: "the file already exists"
        case .openToOthers(let mode): "it is accessible to others (mode \(String(mode, radix: 8))); it must be 600"
        case .notAFile: "it is not a regular file"
        case .tooLong: "it is too long"
        case .system(let number): String(cString: strerror(number))
        }
    }
}

/// A folder for private files (mode 0700).
package struct PrivateFolder: Hashable, Sendable {
    package let path: String

    /// Names a folder, which may not exist yet.
    package init(path: String) {
        self.path = path
    }

    package init(containing file: String) {
        guard let slash = file.lastIndex(of: "/") else {
            path = "."
            return
        }
        path = slash == file.startIndex ? "/" : String(file[..<slash])
    }

    /// Creates the folder and its missing parents. An existing one is not changed.
    package func create() throws(PrivateFileFault) {
        if mkdir(path, 0o700) == 0 { return }
        switch errno {
        case EEXIST:
            return
        case ENOENT where path.contains("/"):
            try PrivateFolder(containing: path).create()
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system(errno: errno) }
        default:
            throw .system(errno: errno)
        }
    }

    /// The names of its entries, sorted.
    package func names() throws(PrivateFileFault) -> [String] {
        guard let folder = opendir(path) else { throw PrivateFileFault(errno: errno) }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    package func synchronize() throws(PrivateFileFault) {
        try OpenFile(reading: path).synchronize()
    }
}
