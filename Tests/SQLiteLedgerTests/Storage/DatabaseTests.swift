import ResponderModel
import LedgerRecords
import Dispatch
import Platform
import TemporaryFolders
import Testing

@testable import SQLiteLedger

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

@Suite("A database with one writer and several readers", .timeLimit(.minutes(5)))
struct DatabaseTests {
    let folder = TemporaryFolder()
    var path: String { folder.path + "/file.sqlite" }

    @Test("What a write has returned, the next read sees")
    func readsOwnWrites() async throws {
        let database = try await Database.things(at: path)
        for number in 1...50 {
            try await database.insert("thing \(number)")
            #expect(try await database.names().count == number)
        }
    }

    @Test("A long read delays no other while a reader is free")
    func longRead() async throws {
        let database = try await Database.things(at: path)
        let (begun, hasBegun) = AsyncStream<Void>.makeStream()
        let (long, short) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        func holding(_ end: DispatchSemaphore) async throws {
            try await database.read { _ in
                hasBegun.yield()
                end.wait()
            }
        }
        var beginnings = begun.makeAsyncIterator()
        async let longest: Void = holding(long)
        await beginnings.next()
        async let shorter: Void = holding(short)
        await beginnings.next()
        // Waits for whichever is free first.
        let next = Task.startingHere { try? await database.names().count }
        short.signal()
        #expect(await next.value == 0)
        long.signal()
        try await longest
        try await shorter
    }

    @Test("Writes that wait share a commit; each is there on return, and all in the order of their calls")
    func groupCommit() async throws {
        let database = try await Database.things(at: path)
        let before = database.statistics
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<500 {
                group.addTask {
                    try await database.insert("thing \(number)")
                    #expect(try await database.names().contains("thing \(number)"))
                }
            }
            try await group.waitForAll()
        }
        let after = database.statistics
        #expect(after.writes - before.writes == 500)
        #expect(after.commits - before.commits < 500)
        #expect(after.longest <= after.time)
        #expect(try await database.names().count == 500)
    }

    @Test("One failing write of a group leaves the others")
    func failureInGroup() async throws {
        let database = try await Database.things(at: path)
        try await database.insert("taken")
        let faults = await withTaskGroup(of: LedgerFault?.self, returning: [LedgerFault?].self) { group in
            for number in 0..<200 {
                group.addTask {
                    do throws(LedgerFault) {
                        try await database.write { connection throws(LedgerFault) in
                            try connection.insert("half \(number)")
                            try connection.insert(number.isMultiple(of: 2) ? "taken" : "thing \(number)")
                        }
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(faults.filter { $0 == nil }.count == 100)
        #expect(faults.filter { $0 == .constraint("thing.name") }.count == 100)
        let names = try await database.names()
        #expect(names.count == 201)
        #expect(!names.contains("half 2"))
        #expect(names.contains("half 3"))
    }

    @Test("A full disk fails the writes that do not fit; the others and what was there before stay")
    func diskFull() async throws {
        let database = try await Database.things(at: path)
        try await database.write { connection throws(LedgerFault) in
            try connection.insert("before")
            _ = try connection.first("PRAGMA max_page_count = 20") { _ in () }
        }
        let large = String(repeating: "x", count: 100_000)
        let faults = await withTaskGroup(of: LedgerFault?.self, returning: [LedgerFault?].self) { group in
            for number in 0..<40 {
                group.addTask {
                    let name = number.isMultiple(of: 2) ? "\(number)" + large : "small \(number)"
                    do throws(LedgerFault) {
                        try await database.insert(name)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(faults.filter { $0 == .full }.count == 20)
        #expect(faults.filter { $0 == nil }.count == 20)
        let names = try await database.names()
        #expect(names.count == 21)
        #expect(names.allSatisfy { $0.count < 20 })
        #expect(try await database.integrityProblems() == [])
    }

    @Test("A lock held by another process makes writes busy after the wait; reads go on, and nothing is lost")
    func locked() async throws {
        let database = try await Database.things(at: path, timeout: .milliseconds(20))
        try await database.insert("before")
        let other = try Connection(path: path, access: .writing)
        try other.script("BEGIN IMMEDIATE")
        await #expect(throws: LedgerFault.busy) { try await database.insert("refused") }
        #expect(try await database.names() == ["before"])
        try other.script("COMMIT")
        try await database.insert("after")
        #expect(try await database.names() == ["before", "after"])
    }

    private static func bytes(of path: String) -> Int64 {
        var facts = stat()
        return stat(path, &facts) == 0 ? Int64(facts.st_size) : 0
    }

    private var logBytes: Int64 { Self.bytes(of: path + "-wal") }

    @Test("A log that a long reader has made large is cut once the reader has ended")
    func logSize() async throws {
        let database = try await Database.things(at: path)
        try await database.insert("first")
        try await database.read { [path] connection throws(LedgerFault) in
            _ = try connection.names()
            let other = try Connection(path: path, access: .writing)
            for number in 0..<24 {
                try other.insert("\(number) " + String(repeating: "x", count: 1 << 20))
            }
        }
        #expect(logBytes > Int64(Connection.longestLog))
        // A checkpoint, and the log begins anew.
        for number in 0..<3 { try await database.insert("after \(number) " + String(repeating: "x", count: 1 << 20)) }
        #expect(logBytes <= Int64(Connection.longestLog))
    }

    @Test("The log is written back to the file before it has two megabytes")
    func checkpoints() async throws {
        let database = try await Database.things(at: path)
        for number in 0..<300 { try await database.insert("\(number) " + String(repeating: "x", count: 10_000)) }
        #expect((1...2 << 20).contains(logBytes))
    }

    @Test("Whoever has written is told before the log is written back to the file, and the next write comes after that")
    func checkpointsAfterwards() async throws {
        await (try await Database.things(at: path)).close()
        let writer = Writer()
        try await writer.open(path: path, timeout: .seconds(20))
        func sizeOnceWritten(_ count: Int) async -> Int64 {
            let size = FirstAnswer<Int64>()
            let write = PendingWrite { connection throws(LedgerFault) in
                try connection.insert(String(repeating: "x", count: count))
            } whenDone: { [path] _ in
                size.give(Self.bytes(of: path))
            }
            writer.submit(write)
            return await size.value()
        }
        #expect(await sizeOnceWritten(2 << 20) < 1 << 20)
        #expect(await sizeOnceWritten(1) > 2 << 20)
        await writer.close()
    }

    @Test("A read sees one state throughout, whatever is written meanwhile")
    func snapshot() async throws {
        let database = try await Database.things(at: path)
        try await database.insert("first")
        let path = path
        let counts = try await database.read { connection throws(LedgerFault) in
            let before = try connection.names().count
            try Connection(path: path, access: .writing).insert("second")
            return [before, try connection.names().count]
        }
        #expect(counts == [1, 1])
        #expect(try await database.names().count == 2)
    }

    @Test("Reads cannot write")
    func readsDoNotWrite() async throws {
        let database = try await Database.things(at: path)
        await #expect(throws: LedgerFault.readOnly) {
            try await database.read { connection throws(LedgerFault) in try connection.insert("no") }
        }
    }

    @Test("A blocking read does not hold up the tasks")
    func blockingReads() async throws {
        let database = try await Database.things(at: path, timeout: .seconds(60))
        let (release, released) = AsyncStream<Void>.makeStream()
        let other = try Connection(path: path, access: .writing)
        try other.script("BEGIN IMMEDIATE")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<16 { group.addTask { try await database.insert("thing \(number)") } }
            // More waiting writes than the pool has threads, and still a task gets its turn.
            group.addTask { released.finish() }
            for await _ in release {}
            try other.script("COMMIT")
            try await group.waitForAll()
        }
        #expect(try await database.names().count == 16)
    }

    @Test("Closing finishes what was submitted; later calls find it closed")
    func closing() async throws {
        let database = try await Database.things(at: path)
        async let writes: Void = withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 { group.addTask { try await database.insert("thing \(number)") } }
            try await group.waitForAll()
        }
        try await writes
        await database.close()
        await #expect(throws: LedgerFault.closed) { try await database.insert("late") }
        await #expect(throws: LedgerFault.closed) { try await database.names() }
        #expect(folder.names == ["file.sqlite"])
    }
}
