#if os(Linux)
import ChildProcesses
import Foundation
import LightningCoding
import TemporaryFolders
import Testing

@Suite("The version", .timeLimit(.minutes(5)))
struct VersionTests {
    @Test("Each program prints it", arguments: ["lightning-responder", "lightning-respond", "lnurl"])
    func programs(name: String) async throws {
        let test = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = URL(filePath: test).deletingLastPathComponent().appending(path: name).path
        let folder = TemporaryFolder()
        let file = URL(filePath: folder.path + "/out")
        try Data().write(to: file)
        let status = try await ChildProcess.run(
            program, ["--version"], input: "/dev/null", output: file.path, errors: "/dev/null")
        #expect(status == 0)
        #expect(try String(contentsOf: file, encoding: .utf8) == SoftwareVersion.text + "\n")
    }

    @Test("It is the newest in the change log, or the unreleased one after it")
    func changeLog() throws {
        let headings = try Readme("docs/CHANGELOG.md").text.matches(of: /\n## \[([^\]]+)\]/).map { String($0.1) }
        let isReleased = !SoftwareVersion.text.hasSuffix("-dev")
        #expect(headings.first == (isReleased ? SoftwareVersion.text : "Unreleased"))
        #expect(!headings.dropFirst().contains(String(SoftwareVersion.text.prefix { $0 != "-" })) || isReleased)
    }
}
#endif
