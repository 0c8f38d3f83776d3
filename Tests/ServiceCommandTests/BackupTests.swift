import ServiceSetup
import ArgumentParser
import Bolt12
import LightningCoding
import Platform
import TemporaryFolders
import Testing

@testable import ServiceCommand

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite("Backup and restore", .timeLimit(.minutes(5)))
struct BackupTests: OfferFixture {
    let temporary = TemporaryFolder()
    private var saved: String { temporary.path + "/saved" }
    private var target: String { temporary.path + "/restored" }

    init() async throws {
        try await addAlice()
    }

    private func restore(_ source: String? = nil, to target: String? = nil) async throws {
        _ = try await Restore.parse([source ?? saved, "--data-directory", target ?? self.target]).perform()
    }

    /// Why restoring failed; nil when it succeeded.
    private func refusal(_ source: String? = nil, to target: String? = nil) async throws -> CommandFailure? {
        do {
            try await restore(source, to: target)
            return nil
        } catch let failure as CommandFailure {
            return failure
        }
    }

    private func names(in folder: String) throws -> [String] { try PrivateFolder(path: folder).names() }

    /// Replaces the contents of a file of the backup.
    private func alter(_ name: String, to bytes: some Collection<UInt8>) throws {
        let file = PrivateFile(path: saved + "/" + name)
        file.remove()
        try file.create(bytes)
    }

    @Test("A backup is a folder for its owner only, and nothing else is created", arguments: ["", "/", "//"])
    func folderIsPrivate(slashes: String) async throws {
        let (offer, keyFile) = try foreign()
        try await run(OfferImport.self, "alice", offer.text, "--key-file", keyFile)
        try await run(Backup.self, saved + slashes)
        #expect(temporary.names == ["data", "issuer.key", "saved"])
        #expect(mode(of: saved) == 0o700)
        #expect(mode(of: saved + "/offer-keys") == 0o700)
        for name in try names(in: saved) where name != "offer-keys" { #expect(mode(of: saved + "/" + name) == 0o600) }
        #expect(try names(in: saved + "/offer-keys") == ["\(offer.id).key"])
    }

    @Test("The manifest of a backup names every file but itself, with size and SHA-256")
    func list() async throws {
        let made = try await run(Backup.self, saved)
        let manifest = try BackupManifest(verifying: saved)
        #expect(made.json["files"]?.array?.map(\.string) == manifest.entries.map(\.name))
        #expect(try Set(names(in: saved)) == Set(manifest.entries.map(\.name) + ["manifest.json"]))
        #expect(manifest.entries.first?.name == "ledger.sqlite")
        for entry in manifest.entries {
            #expect(try PrivateFile(path: saved + "/" + entry.name).contents(limit: 1 << 22).count == Int(entry.size))
        }
    }

    @Test("A failed backup leaves nothing", arguments: ["missing/saved", "data"])
    func backupRefused(name: String) async throws {
        #expect(try await failure(Backup.self, temporary.path + "/" + name)?.status == .cannotCreate)
        #expect(temporary.names == ["data"])
    }

    @Test("A backup of unreadable keys leaves nothing")
    func keyIsNoFile() async throws {
        let key = PrivateFile(path: folder + "/offer-keys/\(String(repeating: "00", count: 32)).key")
        try PrivateFolder(path: key.path).create()
        #expect(try await failure(Backup.self, saved)?.status == .data)
        #expect(temporary.names == ["data"])
    }

    @Test("The target may be missing, as may its parent folders, and have a trailing slash")
    func missingTarget() async throws {
        try await run(Backup.self, saved)
        for path in ["/one", "/two/", "/three/four//"] { try await restore(saved + "/", to: temporary.path + path) }
        #expect(temporary.names == ["data", "one", "saved", "three", "two"])
        for path in ["/one", "/two", "/three/four"] {
            #expect(mode(of: temporary.path + path) == 0o700)
            _ = try await Check.parse(["--data-directory", temporary.path + path]).perform()
        }
    }

    @Test("An existing empty folder is filled in place, even through a link, with its lost+found")
    func emptyTarget() async throws {
        let (offer, keyFile) = try foreign()
        try await run(OfferImport.self, "alice", offer.text, "--key-file", keyFile)
        try await run(Backup.self, saved)
        for (name, link) in [("one", nil), ("two", "link"), ("three", "mount")] as [(String, String?)] {
            let folder = temporary.path + "/" + name
            try PrivateFolder(path: folder).create()
            if link == "mount" { try PrivateFolder(path: folder + "/lost+found").create() }
            if let link { symlink(folder, temporary.path + "/" + link) }
            var before = stat()
            stat(folder, &before)
            try await restore(to: temporary.path + "/" + (link ?? name))
            var after = stat()
            stat(folder, &after)
            #expect(before.st_ino == after.st_ino)
            #expect(
                try names(in: folder)
                    == (names(in: saved).filter { $0 != "manifest.json" } + ["serve.lock"]
                    + (link == "mount" ? ["lost+found"] : [])).sorted())
            _ = try await Check.parse(["--data-directory", folder]).perform()
        }
    }

    @Test("A dangling link is not a valid target")
    func brokenLink() async throws {
        try await run(Backup.self, saved)
        symlink(temporary.path + "/nowhere", target)
        #expect(try await refusal()?.status == .cannotCreate)
        #expect(temporary.names == ["data", "restored", "saved"])
    }

    @Test("A non-empty folder is left unchanged")
    func usedTarget() async throws {
        try await run(Backup.self, saved)
        try PrivateFolder(path: target).create()
        try PrivateFile(path: target + "/note").create([1])
        #expect(try await refusal()?.status == .cannotCreate)
        #expect(try names(in: target) == ["note"])
    }

    @Test(
        "A backup with a changed, truncated or missing file is refused, and nothing is left behind",
        arguments: ["ledger.sqlite", "challenge.key", "admin.token"], [true, false])
    func altered(name: String, targetIsThere: Bool) async throws {
        try await run(Backup.self, saved)
        if targetIsThere { try PrivateFolder(path: target).create() }
        let bytes = try PrivateFile(path: saved + "/" + name).contents(limit: 1 << 22)
        let refused = CommandFailure(.data, "\(saved)/\(name): not the file that was backed up")
        try alter(name, to: [bytes[0] ^ 1] + bytes.dropFirst())
        #expect(try await refusal() == refused)
        try alter(name, to: bytes.dropLast())
        #expect(try await refusal() == refused)
        try alter(name, to: bytes + [0])
        #expect(try await refusal() == refused)
        PrivateFile(path: saved + "/" + name).remove()
        #expect(try await refusal()?.status == .noInput)
        #expect(temporary.names == ["data"] + (targetIsThere ? ["restored"] : []) + ["saved"])
        if targetIsThere { #expect(try names(in: target).isEmpty) }
        try alter(name, to: bytes)
        try await restore()
    }

    @Test("A malformed manifest, or one without a ledger, is refused before anything is written")
    func badList() async throws {
        try await run(Backup.self, saved)
        let path = "\(saved)/manifest.json"
        try alter("manifest.json", to: "{}".utf8)
        #expect(try await refusal() == CommandFailure(.data, "\(path): not the manifest of a backup"))
        try alter("manifest.json", to: BackupManifest(entries: []).json(at: .now()).serializedBytes())
        #expect(try await refusal() == CommandFailure(.data, "\(path): it names no ledger.sqlite"))
        #expect(temporary.names == ["data", "saved"])
    }

    @Test("A folder that cannot be filled completely is emptied again")
    func noRoom() async throws {
        try await run(Backup.self, saved)
        // A folder blocks the file that is moved last.
        try PrivateFolder(path: target).create()
        let staging = try StagingFolder(named: target + "/restoring")
        _ = try staging.add([("admin.token", saved + "/admin.token"), ("ledger.sqlite", saved + "/ledger.sqlite")])
        try PrivateFolder(path: target + "/ledger.sqlite").create()
        #expect(throws: CommandFailure.self) { try staging.moveFiles(into: target, last: "ledger.sqlite") }
        #expect(try names(in: target).filter { !$0.hasPrefix("restoring.") } == ["ledger.sqlite"])
        _ = consume staging
        #expect(try names(in: target) == ["ledger.sqlite"])
    }

    @Test("A folder into which something has come meanwhile is not filled")
    func usedMeanwhile() throws {
        try PrivateFolder(path: target + "/lost+found").create()
        let staging = try StagingFolder(named: target + "/restoring")
        try staging.requireNothingBeside(in: target)
        try PrivateFile(path: target + "/ledger.sqlite").create([1])
        #expect(throws: CommandFailure.self) { try staging.requireNothingBeside(in: target) }
    }

    @Test("A folder that a service holds is not filled, and a lock that a service has left is no content")
    func lockedTarget() async throws {
        try await run(Backup.self, saved)
        try PrivateFolder(path: target).create()
        let lock = try ServiceLock(at: target + "/serve.lock")
        #expect(try await refusal()?.status == .unavailable)
        #expect(try names(in: target) == ["serve.lock"])
        _ = consume lock
        try await restore()
        #expect(try names(in: target).contains("ledger.sqlite"))
    }

    @Test("What is not there is no input, and a file is no backup")
    func noBackup() async throws {
        #expect(try await refusal("/nowhere")?.status == .noInput)
        #expect(try await refusal(folder)?.status == .noInput)
        let archive = temporary.path + "/backup.tar"
        try PrivateFile(path: archive).create([UInt8](repeating: 0x41, count: 2048))
        #expect(try await refusal(archive)?.status == .data)
        #expect(temporary.names == ["backup.tar", "data"])
    }

    @Test("A backup that others may open is not restored; restored files are for their owner only")
    func openBackup() async throws {
        try await run(Backup.self, saved)
        for mode in [0o750, 0o705, 0o710, 0o701] as [mode_t] {
            FileModes.set(mode, on: saved)
            #expect(try await refusal()?.status == .permission)
        }
        #expect(!PrivateFile(path: target).exists)
        FileModes.set(0o700, on: saved)
        try await restore()
        #expect(PrivateFile(path: target).modeOpenToOthers == nil)
        for name in try names(in: target) { #expect(PrivateFile(path: target + "/" + name).modeOpenToOthers == nil) }
    }
}
