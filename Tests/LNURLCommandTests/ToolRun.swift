import ChildProcesses
import Foundation
import LightningCoding
import TemporaryFolders
import Testing

/// One run of the built `lnurl`, which is beside the bundle of these tests.
struct ToolRun {
    let status: Int32
    let output: String
    let errors: String

    /// The one object that `--json` prints.
    var json: JSONValue {
        get throws {
            #expect(output.hasSuffix("}\n"))
            return try JSONValue(parsing: output.trimmingCharacters(in: .newlines))
        }
    }

    /// The names of the checks with this verdict.
    func checks(_ verdict: String) throws -> [String] {
        try json["checks"]?.array?.filter { $0["verdict"]?.string == verdict }.compactMap { $0["name"]?.string } ?? []
    }

    init(_ arguments: String..., input: String = "", environment: [String: String] = [:]) async throws {
        try await self.init(arguments, input: input, environment: environment)
    }

    init(
        _ arguments: [String], input: String = "", environment: [String: String] = [:], output: String? = nil
    ) async throws {
        try await self.init(arguments, inputBytes: Array(input.utf8), environment: environment, output: output)
    }

    /// The same with any bytes on standard input.
    ///
    /// - Parameter file: where its output goes, in place of one that is read.
    init(
        _ arguments: [String], inputBytes: [UInt8], environment: [String: String] = [:], output file: String? = nil
    ) async throws {
        let folder = TemporaryFolder()
        let files = try ["in", "out", "err"].map { URL(filePath: try folder.file($0)) }
        try Data(inputBytes).write(to: files[0])
        status = try await ChildProcess.run(
            Self.executable.path, arguments, environment: environment, input: files[0].path,
            output: file ?? files[1].path,
            errors: files[2].path)
        output = try String(contentsOf: files[1], encoding: .utf8)
        errors = try String(contentsOf: files[2], encoding: .utf8)
    }

    private static var executable: URL {
        get throws {
            let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            return URL(filePath: bundle).deletingLastPathComponent().appending(path: "lnurl")
        }
    }
}

extension TemporaryFolder {
    /// The path of a new file in it with this text.
    func file(_ name: String, _ text: String = "") throws -> String {
        let file = path + "/" + name
        try Data(text.utf8).write(to: URL(filePath: file))
        return file
    }
}
