import LightningCoding
import Platform
import ServiceSetup

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A folder with a temporary name (mode 0700) that is filled and then renamed, so that it appears complete or not at
/// all.
///
/// Whatever is left in it when it goes out of scope is removed.
struct StagingFolder: ~Copyable {
    let path: String

    init(named prefix: String) throws(CommandFailure) {
        var name = Array((prefix + ".XXXXXX").utf8CString)
        guard mkdtemp(&name) != nil else {
            let number = errno
            guard [ENOENT, ENOTDIR, EROFS].contains(number) else {
                throw CommandFailure(PrivateFileFault(errno: number), at: prefix)
            }
            throw CommandFailure(
                .cannotCreate,
                "\(PrivateFolder(containing: prefix).path): \(PrivateFileFault.system(errno: number).reason)")
        }
        path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        Self.remove(path)
    }

    /// Copies files into it, each under its name; returns their entries.
    func add(_ files: [(name: String, path: String)]) throws(CommandFailure) -> [BackupManifest.Entry] {
        var entries: [BackupManifest.Entry] = []
        for file in files {
            if let slash = file.name.firstIndex(of: "/") { try makeFolder(path + "/" + file.name[..<slash]) }
            entries.append(try BackupManifest.Entry(copying: file.path, as: file.name, into: path))
        }
        return entries
    }

    /// Renames the folder; the target must not exist.
    func rename(to target: String) throws(CommandFailure) {
        try synchronizeFolders()
        guard systemRename(path, target) == 0 else { throw CommandFailure(PrivateFileFault(errno: errno), at: target) }
        try Self.synchronize(PrivateFolder(containing: target).path)
    }

    /// Makes sure that nothing else has come into the folder in which this one lies: a service that was started meanwhile has made
    /// a ledger and keys there, which nothing may replace.
    func requireNothingBeside(in target: String) throws(CommandFailure) {
        let own = path
        guard
            try Self.names(in: target).allSatisfy({ DataFolder.namesOfEmpty.contains($0) || target + "/" + $0 == own })
        else {
            throw CommandFailure(.cannotCreate, "\(target) is no longer empty; restore needs an empty folder")
        }
    }

    /// Moves what is in the folder into one that is there and empty.
    ///
    /// - Parameter last: the file that makes the folder a data folder, moved last.
    func moveFiles(into target: String, last: String) throws(CommandFailure) {
        try synchronizeFolders()
        var moved: [String] = []
        do throws(CommandFailure) {
            for name in try Self.names(in: path).filter({ $0 != last }) + [last] {
                guard systemRename(path + "/" + name, target + "/" + name) == 0 else {
                    throw CommandFailure(PrivateFileFault(errno: errno), at: target + "/" + name)
                }
                moved.append(name)
            }
            try Self.synchronize(target)
        } catch {
            for name in moved { Self.remove(target + "/" + name) }
            throw error
        }
    }

    private func makeFolder(_ path: String) throws(CommandFailure) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw CommandFailure(PrivateFileFault(errno: errno), at: path)
        }
    }

    private func synchronizeFolders() throws(CommandFailure) {
        for name in try Self.names(in: path) where Self.isFolder(path + "/" + name) {
            try Self.synchronize(path + "/" + name)
        }
        try Self.synchronize(path)
    }

    private static func names(in folder: String) throws(CommandFailure) -> [String] {
        try rethrowing(PrivateFolder(path: folder).names()) { CommandFailure($0, at: folder) }
    }

    private static func synchronize(_ folder: String) throws(CommandFailure) {
        try rethrowing(PrivateFolder(path: folder).synchronize()) { CommandFailure($0, at: folder) }
    }

    private static func isFolder(_ path: String) -> Bool {
        var facts = stat()
        return lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }

    private static func remove(_ path: String) {
        guard isFolder(path) else {
            unlink(path)
            return
        }
        for name in (try? PrivateFolder(path: path).names()) ?? [] { remove(path + "/" + name) }
        rmdir(path)
    }
}

// Renamed, since the folder has a method of the same name.
private func systemRename(_ path: String, _ target: String) -> Int32 {
    rename(path, target)
}

/// Lets an interrupted command clean up: a partial backup is a folder full of keys.
enum Interruption {
    /// Set by the signal handler and read by the command; a handler may do no more.
    nonisolated(unsafe) private static var isWanted: sig_atomic_t = 0
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// From now on these signals do not terminate the process.
    static func hold() {
        for number in signals { signal(number) { _ in Interruption.isWanted = 1 } }
    }

    static func release() {
        for number in signals { signal(number, SIG_DFL) }
    }

    static func check() throws(CommandFailure) {
        guard isWanted == 0 else { throw CommandFailure(.unavailable, "interrupted; nothing was made") }
    }
}
