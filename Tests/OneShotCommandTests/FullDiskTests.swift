#if os(Linux)
import ChildProcesses
import Foundation
import TemporaryFolders
import Testing

@Suite("A full disk", .timeLimit(.minutes(5)))
struct FullDiskTests {
    private let temporary = TemporaryFolder()

    /// Runs a program whose standard output takes nothing; its status and what it says on standard error.
    private func ended(_ program: String, _ words: [String]) async throws -> (status: Int32, errors: String) {
        let errors = URL(filePath: temporary.path + "/errors")
        try Data().write(to: errors)
        let status = try await ChildProcess.run(
            RespondFixture.program(program), words, input: "/dev/null", output: "/dev/full", errors: errors.path)
        return (status, String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }

    private static let reason = "error: standard output cannot be written; is the disk full?\n"

    @Test(
        "Exit code 74 says that what a command prints is not written",
        arguments: [
            ("lightning-responder", ["account", "add", "alice"]),
            ("lightning-responder", ["account", "list", "--json"]),
            ("lightning-responder", ["config", "reference"]), ("lightning-responder", ["--help"]),
            ("lightning-responder", ["serve", "--help"]), ("lightning-responder", ["--version"]),
            ("lightning-responder", ["config", "proxy", "--caddy", "--public-url", "https://a.example"]),
            ("lightning-respond", ["--help"]), ("lightning-respond", ["--version"]),
        ])
    func printing(program: String, words: [String]) async throws {
        let needsFolder = words.first == "account"
        let folder = needsFolder ? ["--data-directory", temporary.path + "/data"] : []
        if words.contains("list") { _ = try await ended(program, ["account", "add", "bob"] + folder) }
        let ended = try await ended(program, words + folder)
        #expect(ended.status == 74)
        #expect(ended.errors == Self.reason)
    }

    @Test("A failure keeps its exit code, and is told on standard error where its JSON is not written")
    func failures() async throws {
        let ended = try await ended(
            "lightning-responder", ["account", "list", "--json", "--data-directory", temporary.path + "/none"])
        #expect(ended.status == 66)
        #expect(ended.errors.hasPrefix("error: \(temporary.path)/none has no ledger"))
    }

    @Test("A report of a notification that is not written is 74, although the notification was answered")
    func report() async throws {
        let notification = temporary.path + "/notification"
        let text =
            #"{"template":"lnurlpay_info","data":{"callback_url":"https://a.example","reply_url":"https://a.example/r"}}"#
        try Data(text.utf8).write(to: URL(filePath: notification))
        let ended = try await ended(
            "lightning-respond",
            ["--notification", notification, "--dry-run", "--data-directory", temporary.path + "/data"])
        #expect(ended.status == 74)
        #expect(ended.errors == Self.reason)
    }
}
#endif
