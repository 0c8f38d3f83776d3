import CSQLite
import Foundation
import Platform

/// A disk below SQLite that fails at a chosen operation: the n-th write, sync, truncation or deletion of a file in its folder.
///
/// A deletion is durable at once, and the file of shared memory is the system's: a power cut loses it, and SQLite makes it anew.
final class FaultyDisk: Sendable {
    enum Fault: String, Sendable, CaseIterable {
        /// The operation fails, and those after it do what they should.
        case fails
        /// The operation is carried out, but the disk says that it failed.
        case deniesSuccess
        /// The process dies: nothing happens from there on, and what was written stays.
        case dies
        /// The machine loses power: of what was written and not synced, some is lost, and some torn.
        case losesPower
    }

    /// What a write or truncation has changed since the last sync of its file.
    private struct Change {
        let offset: Int
        let written: [UInt8]?
        let before: [UInt8]
        let sizeBefore: Int
    }

    private struct State {
        var operations = 0
        var isOver = false
        var changes: [String: [Change]] = [:]
    }

    private let folder: String
    private let fault: (kind: Fault, at: Int)?
    private let state = Guarded(State())

    private static let disks = Guarded<[FaultyDisk]>([])

    /// A disk for the files in `folder` whose `at`-th operation is the fault; none is when it is nil.
    init(_ folder: String, _ fault: (kind: Fault, at: Int)?) {
        self.folder = folder
        self.fault = fault
        _ = FaultyDisk.installed
        Self.disks.withLock { $0.append(self) }
    }

    /// How many operations were asked for.
    var operations: Int { state.withLock { $0.operations } }

    /// Ends the faults. After a loss of power the files are as the disk has them, by a choice of `seed`.
    func mend(seed: Int) throws {
        Self.disks.withLock { $0.removeAll { $0 === self } }
        guard fault?.kind == .losesPower else { return }
        var random = SeededGenerator(seed: UInt64(seed))
        for (path, changes) in state.withLock({ $0.changes }).sorted(by: { $0.key < $1.key }) {
            guard let file = FileHandle(forUpdatingAtPath: path) else { continue }
            defer { try? file.close() }
            for change in changes.reversed() {
                try file.seek(toOffset: UInt64(change.offset))
                file.write(Data(change.before))
                try file.truncate(atOffset: UInt64(change.sizeBefore))
            }
            for change in changes where Bool.random(using: &random) {
                guard let written = change.written else {
                    try file.truncate(atOffset: UInt64(change.offset))
                    continue
                }
                let isTorn = Int.random(in: 0..<4, using: &random) == 0
                try file.seek(toOffset: UInt64(change.offset))
                file.write(Data(isTorn ? written.prefix(written.count / 2) : written[...]))
            }
        }
    }

    fileprivate static func disk(of path: String) -> FaultyDisk? {
        disks.withLock { $0.first { path.hasPrefix($0.folder) } }
    }

    /// What becomes of the next operation: whether it is carried out, and what SQLite is told.
    fileprivate func next(_ operation: () -> CInt) -> CInt {
        let chosen = state.withLock { state -> Fault? in
            guard !state.isOver else { return .dies }
            state.operations += 1
            guard let fault, state.operations == fault.at else { return nil }
            state.isOver = fault.kind == .dies || fault.kind == .losesPower
            return fault.kind
        }
        guard chosen == nil || chosen == .deniesSuccess else { return SQLITE_IOERR }
        let code = operation()
        return chosen == nil ? code : SQLITE_IOERR
    }

    fileprivate var isOver: Bool { state.withLock { $0.isOver } }

    fileprivate func note(_ path: String, offset: Int, written: [UInt8]?, before: [UInt8], sizeBefore: Int) {
        let change = Change(offset: offset, written: written, before: before, sizeBefore: sizeBefore)
        state.withLock { $0.changes[path, default: []].append(change) }
    }

    fileprivate func forgetChanges(of path: String) {
        state.withLock { $0.changes[path] = nil }
    }
}

/// SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}

// MARK: What SQLite calls

/// An open file: the system's stands behind it in memory.
private struct OpenFile {
    var base: sqlite3_file
    let disk: Unmanaged<FaultyDisk>
    let path: Unmanaged<NSString>

    static let size = (MemoryLayout<OpenFile>.size + 15) & ~15
}

private typealias File = UnsafeMutablePointer<sqlite3_file>

private func opened(_ file: File?) -> (disk: FaultyDisk, path: String, real: File) {
    guard let file else { preconditionFailure("SQLite gives the file") }
    let raw = UnsafeMutableRawPointer(file)
    let own = raw.assumingMemoryBound(to: OpenFile.self).pointee
    let real = (raw + OpenFile.size).assumingMemoryBound(to: sqlite3_file.self)
    return (own.disk.takeUnretainedValue(), own.path.takeUnretainedValue() as String, real)
}

private func real(_ file: File?) -> (File, sqlite3_io_methods) {
    let real = opened(file).real
    return (real, real.pointee.pMethods.pointee)
}

nonisolated(unsafe) private let system = {
    guard let system = sqlite3_vfs_find(nil) else { preconditionFailure("SQLite has no files") }
    return system
}()

nonisolated(unsafe) private let methods: UnsafeMutablePointer<sqlite3_io_methods> = {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    methods.initialize(to: sqlite3_io_methods())
    methods.pointee.iVersion = 2
    methods.pointee.xClose = { file in
        let (real, methods) = real(file)
        let code = methods.xClose(real)
        let own = (UnsafeMutableRawPointer(real) - OpenFile.size).assumingMemoryBound(to: OpenFile.self).pointee
        own.disk.release()
        own.path.release()
        return code
    }
    methods.pointee.xRead = { file, bytes, count, offset in
        let (real, methods) = real(file)
        return opened(file).disk.isOver ? SQLITE_IOERR : methods.xRead(real, bytes, count, offset)
    }
    methods.pointee.xWrite = { file, bytes, count, offset in
        let (disk, path, real) = opened(file)
        return disk.next {
            let methods = real.pointee.pMethods.pointee
            var size: Int64 = 0
            _ = methods.xFileSize(real, &size)
            var before = [UInt8](repeating: 0, count: Int(max(0, min(Int64(count), size - offset))))
            if !before.isEmpty { _ = methods.xRead(real, &before, CInt(before.count), offset) }
            let written = [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            disk.note(path, offset: Int(offset), written: written, before: before, sizeBefore: Int(size))
            return methods.xWrite(real, bytes, count, offset)
        }
    }
    methods.pointee.xTruncate = { file, size in
        let (disk, path, real) = opened(file)
        return disk.next {
            let methods = real.pointee.pMethods.pointee
            var old: Int64 = 0
            _ = methods.xFileSize(real, &old)
            var before = [UInt8](repeating: 0, count: Int(max(0, old - size)))
            if !before.isEmpty { _ = methods.xRead(real, &before, CInt(before.count), size) }
            disk.note(path, offset: Int(size), written: nil, before: before, sizeBefore: Int(old))
            return methods.xTruncate(real, size)
        }
    }
    // What is lost is decided here, so that nothing need reach the machine's own disk.
    methods.pointee.xSync = { file, _ in
        let (disk, path, _) = opened(file)
        return disk.next {
            disk.forgetChanges(of: path)
            return SQLITE_OK
        }
    }
    methods.pointee.xFileSize = { file, size in
        let (real, methods) = real(file)
        return methods.xFileSize(real, size)
    }
    methods.pointee.xLock = { file, kind in
        let (real, methods) = real(file)
        return methods.xLock(real, kind)
    }
    methods.pointee.xUnlock = { file, kind in
        let (real, methods) = real(file)
        return methods.xUnlock(real, kind)
    }
    methods.pointee.xCheckReservedLock = { file, result in
        let (real, methods) = real(file)
        return methods.xCheckReservedLock(real, result)
    }
    methods.pointee.xFileControl = { file, operation, argument in
        let (real, methods) = real(file)
        return methods.xFileControl(real, operation, argument)
    }
    methods.pointee.xSectorSize = { file in
        let (real, methods) = real(file)
        return methods.xSectorSize(real)
    }
    methods.pointee.xDeviceCharacteristics = { file in
        let (real, methods) = real(file)
        return methods.xDeviceCharacteristics(real)
    }
    methods.pointee.xShmMap = { file, page, size, extend, map in
        let (real, methods) = real(file)
        return methods.xShmMap(real, page, size, extend, map)
    }
    methods.pointee.xShmLock = { file, offset, count, flags in
        let (real, methods) = real(file)
        return methods.xShmLock(real, offset, count, flags)
    }
    methods.pointee.xShmBarrier = { file in
        let (real, methods) = real(file)
        methods.xShmBarrier(real)
    }
    methods.pointee.xShmUnmap = { file, isDeleting in
        let (real, methods) = real(file)
        return methods.xShmUnmap(real, isDeleting)
    }
    return methods
}()

extension FaultyDisk {
    /// Stands before the system's files from then on; those of other folders are the system's as before.
    fileprivate static let installed: Void = {
        let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        vfs.initialize(to: system.pointee)
        vfs.pointee.zName = UnsafePointer(strdup("faulty disk"))
        vfs.pointee.szOsFile += CInt(OpenFile.size)
        vfs.pointee.pNext = nil
        vfs.pointee.xOpen = { _, name, file, flags, flagsOut in
            guard let name, let file, let disk = FaultyDisk.disk(of: String(cString: name)) else {
                return system.pointee.xOpen(system, name, file, flags, flagsOut)
            }
            file.pointee.pMethods = nil
            guard !disk.isOver else { return SQLITE_CANTOPEN }
            let real = (UnsafeMutableRawPointer(file) + OpenFile.size).assumingMemoryBound(to: sqlite3_file.self)
            let code = system.pointee.xOpen(system, name, real, flags, flagsOut)
            guard code == SQLITE_OK else { return code }
            var base = sqlite3_file()
            base.pMethods = UnsafePointer(methods)
            UnsafeMutableRawPointer(file).initializeMemory(
                as: OpenFile.self,
                to: OpenFile(
                    base: base, disk: .passRetained(disk),
                    path: .passRetained(NSString(string: String(cString: name)))))
            return SQLITE_OK
        }
        vfs.pointee.xDelete = { _, name, syncs in
            let path = name.map { String(cString: $0) } ?? ""
            guard let disk = FaultyDisk.disk(of: path) else { return system.pointee.xDelete(system, name, syncs) }
            return disk.next {
                disk.forgetChanges(of: path)
                return system.pointee.xDelete(system, name, syncs)
            }
        }
        sqlite3_vfs_register(vfs, 1)
    }()
}
