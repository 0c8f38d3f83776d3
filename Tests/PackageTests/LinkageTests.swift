#if os(Linux)
import ChildProcesses
import Foundation
import TemporaryFolders
import Testing

/// The linked libraries: a single indirect import could pull in more than any target names.
///
/// `lightning-respond` answers one notification and ends: it links ResponderCore, a ledger and the nodes, and
/// nothing of the service.
@Suite("What a one-shot answer links", .timeLimit(.minutes(5)))
struct LinkageTests {
    @Test("No Foundation, full or essentials")
    func noFoundation() async throws {
        let libraries = try await output(of: "/usr/bin/readelf", "--dynamic", "--wide", try builtProduct())
        #expect(libraries.contains("libswiftCore"))
        #expect(!libraries.contains("Foundation"))
    }

    @Test("No SwiftNIO and no Hummingbird")
    func noNIO() async throws {
        let symbols = try await output(of: "/usr/bin/nm", try builtProduct())
        #expect(symbols.contains("$s13ResponderCore"))
        #expect(!symbols.contains(/\$s\d+_?(?:NIO|Hummingbird)/))
    }

    /// The product is beside the running test.
    private func builtProduct() throws -> String {
        let test = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(filePath: test).deletingLastPathComponent().appending(path: "lightning-respond").path
    }

    private func output(of program: String, _ arguments: String...) async throws -> String {
        let folder = TemporaryFolder()
        let file = URL(filePath: folder.path + "/out")
        try Data().write(to: file)
        let status = try await ChildProcess.run(
            program, arguments, input: "/dev/null", output: file.path, errors: "/dev/null")
        try #require(status == 0, "\(program) \(arguments)")
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }
}
#endif
