#if os(Linux)
import Foundation
import Testing

/// What linking made of the imports: one import anywhere below could pull in what no room names.
///
/// `responder-bench` stands for every program that answers once and ends: it holds Responding, OutboundHTTP, a ledger
/// and a backend, and nothing of the service.
@Suite("What a one-shot answer links")
struct LinkageTests {
    @Test("No Foundation, full or essential")
    func noFoundation() throws {
        let libraries = try output(of: "/usr/bin/readelf", "--dynamic", "--wide", try builtProduct())
        #expect(libraries.contains("libswiftCore"))
        #expect(!libraries.contains("Foundation"))
    }

    @Test("No SwiftNIO and no Hummingbird")
    func noNIO() throws {
        let symbols = try output(of: "/usr/bin/nm", try builtProduct())
        #expect(symbols.contains("$s10Responding"))
        #expect(!symbols.contains(/\$s\d+_?(?:NIO|Hummingbird)/))
    }

    /// The product lies beside the test that is running.
    private func builtProduct() throws -> String {
        let test = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(filePath: test).deletingLastPathComponent().appending(path: "responder-bench").path
    }

    private func output(of program: String, _ arguments: String...) throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardOutput = pipe
        try process.run()
        let text = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(program) \(arguments)")
        return String(decoding: text, as: UTF8.self)
    }
}
#endif
