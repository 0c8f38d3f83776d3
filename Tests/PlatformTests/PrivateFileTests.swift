import Platform
import TemporaryFolders
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

@Suite("Files that only their owner may open", .timeLimit(.minutes(5)))
struct PrivateFileTests {
    let folder = TemporaryFolder()

    @Test("A new file has mode 0600 and its contents")
    func createsAndReads() throws {
        let file = PrivateFile(path: folder.path + "/key")
        #expect(!file.exists)
        try file.create([1, 2, 3])
        #expect(file.exists)
        #expect(mode(of: file.path) == 0o600)
        #expect(try file.contents(limit: 3) == [1, 2, 3])
    }

    @Test("A file that exists is refused and stays as it is")
    func existing() throws {
        let file = PrivateFile(path: folder.path + "/key")
        try file.create([1])
        #expect(throws: PrivateFileFault.exists) { try file.create([2]) }
        #expect(try file.contents(limit: 10) == [1])
    }

    @Test("Of many that make a file at once, one succeeds, and nothing else is left in the folder")
    func race() async throws {
        let file = PrivateFile(path: folder.path + "/key")
        let winners = await withTaskGroup(of: Bool.self, returning: Int.self) { group in
            for number in UInt8(0)..<16 {
                group.addTask { (try? file.create(Array(repeating: number, count: 64))) != nil }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(winners == 1)
        #expect(Set(try file.contents(limit: 64)).count == 1)
        #expect(folder.names == ["key"])
    }

    @Test(
        "A permission for group or others is refused",
        arguments: [0o640, 0o604, 0o610, 0o602, 0o644, 0o777] as [mode_t])
    func wideMode(_ mode: mode_t) throws {
        let file = PrivateFile(path: folder.path + "/key")
        try file.create([1])
        chmod(file.path, mode)
        #expect(throws: PrivateFileFault.openToOthers(mode: UInt16(mode))) { try file.contents(limit: 10) }
    }

    @Test("A narrower mode is fine")
    func narrowMode() throws {
        let file = PrivateFile(path: folder.path + "/key")
        try file.create([1])
        chmod(file.path, 0o400)
        #expect(try file.contents(limit: 10) == [1])
    }

    @Test("Contents over the limit are refused, at the limit taken")
    func limit() throws {
        let file = PrivateFile(path: folder.path + "/key")
        try file.create(Array(repeating: 7, count: 5000))
        #expect(throws: PrivateFileFault.tooLong) { try file.contents(limit: 4999) }
        #expect(try file.contents(limit: 5000).count == 5000)
    }

    @Test("A missing file and a folder are told apart")
    func notAFile() {
        #expect(throws: PrivateFileFault.notFound) { try PrivateFile(path: folder.path + "/no").contents(limit: 1) }
        #expect(throws: PrivateFileFault.notAFile) { try PrivateFile(path: folder.path).contents(limit: 1) }
    }

    @Test("Missing folders are made with mode 0700, existing ones left alone")
    func folders() throws {
        chmod(folder.path, 0o755)
        try PrivateFolder(path: folder.path + "/a/b/").create()
        try PrivateFolder(path: folder.path + "/a/b").create()
        #expect(mode(of: folder.path) == 0o755)
        #expect(mode(of: folder.path + "/a") == 0o700)
        #expect(mode(of: folder.path + "/a/b") == 0o700)
    }

    @Test("The folder of a file", arguments: [("/key", "/"), ("key", "."), ("a/b/key", "a/b"), ("/a/key", "/a")])
    func containing(_ file: String, _ folder: String) {
        #expect(PrivateFolder(containing: file).path == folder)
    }
}
