import Foundation

/// The files of this repository.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static let sources = root.appending(path: "Sources")

    static let tests = root.appending(path: "Tests")

    static func text(_ file: URL) throws -> String {
        try String(contentsOf: file, encoding: .utf8)
    }

    static func manifest() throws -> String {
        try text(root.appending(path: "Package.swift"))
    }

    /// The folders below Sources, one for each target.
    static func targets() throws -> [String] {
        try FileManager.default.contentsOfDirectory(at: sources, includingPropertiesForKeys: [.isDirectoryKey])
            .filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }
            .map(\.lastPathComponent)
            .sorted()
    }

    /// Every Swift file below a folder.
    static func swiftFiles(below folder: URL) -> [URL] {
        let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (found?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
    }

    /// The modules that the files of a target import.
    static func imports(of target: String) throws -> Set<String> {
        let statement =
            #/
            ^\s* (?: @\w+ (?: \( [^)]* \) )? \s+ )*
            (?: (?: public | package | internal | fileprivate | private ) \s+ )?
            import \s+
            (?: (?: struct | class | enum | protocol | typealias | func | var | let ) \s+ )?
            (\w+)
            /#
        var modules: Set<String> = []
        for file in swiftFiles(below: sources.appending(path: target)) {
            for line in try text(file).split(separator: "\n") {
                guard let match = line.prefixMatch(of: statement) else { continue }
                modules.insert(String(match.1))
            }
        }
        return modules
    }
}
