import ResponderModel
import Platform
import SQLiteLedger
import TemporaryFolders
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

@Suite("Backup and examination", .timeLimit(.minutes(5)))
struct BackupTests {
    let folder = TemporaryFolder()
    var path: String { folder.path + "/file.sqlite" }
    var copy: String { folder.path + "/copy.sqlite" }

    @Test("A copy is one whole file for its owner only, made while others write")
    func backup() async throws {
        let database = try await Database.things(at: path)
        try await database.insert("before")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 { group.addTask { try await database.insert("thing \(number)") } }
            try await database.backup(to: copy)
            try await group.waitForAll()
        }
        #expect(folder.names.filter { $0.hasPrefix("copy") } == ["copy.sqlite"])
        #expect(try PrivateFile(path: copy).contents(limit: 1 << 20).starts(with: "SQLite format 3".utf8))
        let restored = try await Database.things(at: copy)
        #expect(try await restored.names().contains("before"))
        #expect(try await restored.integrityProblems() == [])
        #expect(try await database.names().count == 101)
    }

    @Test("A file that exists is not overwritten")
    func noOverwriting() async throws {
        let database = try await Database.things(at: path)
        try PrivateFile(path: copy).create([1])
        await #expect(throws: LedgerFault.storage("the file already exists (14)")) {
            try await database.backup(to: copy)
        }
        #expect(try PrivateFile(path: copy).contents(limit: 1) == [1])
    }

    @Test("A damaged page is found")
    func damage() async throws {
        let database = try await Database.things(at: path)
        for number in 0..<200 { try await database.insert(String(repeating: "n", count: 100) + "\(number)") }
        await database.close()
        let file = open(path, O_WRONLY)
        let junk = [UInt8](repeating: 0xA5, count: 512)
        #expect(pwrite(file, junk, junk.count, 5 * 4096 + 100) == 512)
        close(file)
        let damaged = try await Database.things(at: path)
        let problems = try? await damaged.integrityProblems()
        #expect(problems != [])
    }

    @Test("A row that refers to none is found")
    func orphan() async throws {
        let database = try await Database.things(at: path)
        await database.close()
        let connection = try Connection(path: path, access: .writing)
        try connection.script("PRAGMA foreign_keys = OFF; INSERT INTO thing (name, part) VALUES ('part', 99)")
        let reopened = try await Database.things(at: path)
        #expect(try await reopened.integrityProblems() == ["a row of thing refers to none of thing"])
    }
}
