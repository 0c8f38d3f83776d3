@testable import ServiceSetup
import LightningCrypto
import Platform
import ServiceSetup
import TemporaryFolders
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite("The data folder", .timeLimit(.minutes(5)))
struct DataFolderTests {
    private let temporary = TemporaryFolder()
    private var folder: DataFolder { DataFolder(path: temporary.path) }

    @Test("Keys are created once, for their owner only, and kept")
    func keys() throws {
        let key = try folder.challengeKey()
        let token = try folder.adminToken()
        #expect(key.count == 32)
        #expect(token.count == 64)
        #expect(try folder.challengeKey() == key)
        #expect(try folder.adminToken() == token)
        let names = ["challenge.key", "webhook.key", "offer-seed.key", "responder.key", "admin.token"]
        #expect(try folder.keys.map(\.name) == names)
        try PrivateFile(path: folder.embeddedNodeKey).create(String(repeating: "01", count: 32).utf8)
        #expect(try folder.keys.map(\.name) == ["embedded-node.key"] + names)
        let made = try folder.keys.filter(\.file.exists)
        #expect(try made.allSatisfy { try $0.file.contents(limit: 100).count >= 32 })
    }

    @Test("The key of a node is made once, whoever starts at the same time, and may be written in either case")
    func nodeKeys() async throws {
        let folder = folder
        let made = try await withThrowingTaskGroup(of: PublicKey.self, returning: Set<PublicKey>.self) { group in
            for _ in 0..<8 { group.addTask { try folder.embeddedKey().publicKey } }
            return try await group.reduce(into: []) { $0.insert($1) }
        }
        #expect(try made == [folder.embeddedKey().publicKey])
        for end in ["", "\n"] {
            PrivateFile(path: folder.embeddedNodeKey).remove()
            try PrivateFile(path: folder.embeddedNodeKey).create(
                String(repeating: "aB", count: 32).utf8 + Array(end.utf8))
            #expect(try folder.embeddedKey().publicKey == SecretKey(Array(repeating: 0xAB, count: 32)).publicKey)
        }
    }

    @Test(
        "A file that holds no key of a node is refused",
        arguments: [
            "", "\n", "00", String(repeating: "0", count: 64), String(repeating: "f", count: 64),
            String(repeating: "g", count: 64), String(repeating: "1", count: 63), String(repeating: "1", count: 66),
            String(repeating: "1", count: 64) + "\n\n", " " + String(repeating: "1", count: 64),
        ])
    func noNodeKey(_ text: String) throws {
        try PrivateFile(path: folder.embeddedNodeKey).create(text.utf8)
        let failure = #expect(throws: CommandFailure.self) { try folder.embeddedKey() }
        #expect(failure?.status == .data)
    }

    @Test("The fingerprint tells whether two folders have the same keys; the token and the embedded node do not count")
    func fingerprint() throws {
        let other = TemporaryFolder()
        try folder.readKeys()
        let copy = DataFolder(path: other.path)
        for (name, file) in try folder.keys where name != "admin.token" {
            try PrivateFile(path: other.path + "/" + name).create(file.contents(limit: 100))
        }
        try copy.readKeys()
        try PrivateFile(path: copy.embeddedNodeKey).create(String(repeating: "01", count: 32).utf8)
        #expect(try copy.adminToken() != folder.adminToken())
        #expect(try copy.keysFingerprint() == folder.keysFingerprint())
        for name in ["challenge.key", "webhook.key", "offer-seed.key", "responder.key"] {
            let path = other.path + "/" + name
            let kept = try PrivateFile(path: path).contents(limit: 100)
            unlink(path)
            #expect(try copy.keysFingerprint() != folder.keysFingerprint(), "\(name)")
            unlink(path)
            try PrivateFile(path: path).create(kept)
        }
        #expect(try copy.keysFingerprint() == folder.keysFingerprint())
    }

    @Test(
        "A key open to others is refused, with advice",
        arguments: ["challenge.key", "admin.token", "embedded-node.key"])
    func openToOthers(name: String) throws {
        _ = try folder.challengeKey()
        _ = try folder.adminToken()
        _ = try folder.embeddedKey()
        let path = temporary.path + "/" + name
        chmod(path, 0o644)
        let failure = #expect(throws: CommandFailure.self) {
            switch name {
            case "challenge.key": _ = try folder.challengeKey()
            case "admin.token": _ = try folder.adminToken()
            default: _ = try folder.embeddedKey()
            }
        }
        #expect(failure?.status == .permission)
        #expect(
            failure?.reasons == ["\(path): it is accessible to others (mode 644); it must be 600: chmod 600 \(path)"])
    }

    @Test("A key of the wrong length is refused")
    func shortKey() throws {
        try PrivateFile(path: temporary.path + "/challenge.key").create([1, 2, 3])
        #expect(throws: CommandFailure.self) { try folder.challengeKey() }
        try PrivateFile(path: temporary.path + "/admin.token").create("short\n".utf8)
        #expect(throws: CommandFailure.self) { try folder.adminToken() }
    }

    @Test("The folder of another user is refused before anything is made in it, and its owner is named")
    func owner() throws {
        var foreign = folder
        foreign.user = geteuid() + 1
        let failure = #expect(throws: CommandFailure.self) { try foreign.create() }
        #expect(failure?.status == .permission)
        let me = String(cString: getpwuid(geteuid()).pointee.pw_name)
        let advice = geteuid() == 0 ? "sudo chown -R " : "put sudo -u \(me) before the command"
        #expect(failure?.reasons.first?.hasPrefix("\(temporary.path) belongs to \(me), and this runs as ") == true)
        #expect(failure?.reasons.first?.contains(advice) == true)
        #expect(try PrivateFolder(path: temporary.path).names() == [])
        #expect(throws: Never.self) { try folder.create() }
        foreign = DataFolder(path: temporary.path + "/new")
        foreign.user = geteuid() + 1
        #expect(throws: Never.self) { try foreign.requireOwner() }
    }

    @Test("Root is sent to the folder's user", .enabled(if: geteuid() == 0, "only root may give a folder away"))
    func ownedByService() throws {
        #expect(chown(temporary.path, 1, 1) == 0)
        let name = String(cString: getpwuid(1).pointee.pw_name)
        let expected = CommandFailure(
            .permission,
            "\(temporary.path) belongs to \(name), and this runs as root: put sudo -u \(name) before the command")
        #expect(throws: expected) { try folder.create() }
        let words = SettingSources(flags: ["data-directory": temporary.path], environment: [:], file: nil)
        let configuration = try ServiceConfiguration(words)
        #expect(throws: expected) { try DataFolder.used(by: configuration) }
        #expect(try PrivateFolder(path: temporary.path).names() == [])
    }

    @Test("A folder counts as empty when it is missing or contains only what a mount point does")
    func empty() throws {
        #expect(folder.isEmptyOrMissing)
        #expect(DataFolder(path: temporary.path + "/none").isEmptyOrMissing)
        try PrivateFolder(path: temporary.path + "/lost+found").create()
        #expect(folder.isEmptyOrMissing)
        _ = try folder.challengeKey()
        #expect(!folder.isEmptyOrMissing)
    }
}
