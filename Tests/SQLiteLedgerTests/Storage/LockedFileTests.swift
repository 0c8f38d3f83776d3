import SQLiteLedger
import TemporaryFolders
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

@Suite("Several processes on one file", .timeLimit(.minutes(5)))
struct LockedFileTests {
    let folder = TemporaryFolder()

    @Test("Processes that write at the same time lose nothing")
    func severalProcesses() async throws {
        let path = folder.path + "/file.sqlite"
        let database = try await Database.things(at: path)
        async let first: Void = writeInAnotherProcess("first", path)
        async let second: Void = writeInAnotherProcess("second", path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 { group.addTask { try await database.insert("own \(number)") } }
            try await group.waitForAll()
        }
        _ = await (first, second)
        #expect(try await database.names().count == 600)
        #expect(try await database.integrityProblems() == [])
    }

    private func writeInAnotherProcess(_ name: String, _ path: String) async {
        await #expect(processExitsWith: .success) { [name = name as String, path = path as String] in
            let database = try await Database.things(at: path)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<200 { group.addTask { try await database.insert("\(name) \(number)") } }
                try await group.waitForAll()
            }
        }
    }

    @Test("What a write has returned is there after the process was killed")
    func killed() async throws {
        let path = folder.path + "/file.sqlite"
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let database = try await Database.things(at: path)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<100 { group.addTask { try await database.insert("thing \(number)") } }
                try await group.waitForAll()
            }
            kill(getpid(), SIGKILL)
        }
        let database = try await Database.things(at: path)
        #expect(try await database.names().count == 100)
        #expect(try await database.integrityProblems() == [])
    }
}
