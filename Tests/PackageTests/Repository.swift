import Foundation

/// The files of this repository.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static let sources = root.appending(path: "Sources")

    static let tests = root.appending(path: "Tests")

    static let example = tests.appending(path: "NotificationExtensionExample")

    static func text(_ file: URL) throws -> String {
        try String(contentsOf: file, encoding: .utf8)
    }

    static func manifest() throws -> String {
        try text(root.appending(path: "Package.swift"))
    }

    /// The folder of each target, two levels below Sources.
    static func targets() throws -> [String: URL] {
        let targets = try folders(in: sources).flatMap(folders)
        return Dictionary(uniqueKeysWithValues: targets.map { ($0.lastPathComponent, $0) })
    }

    private static func folders(in folder: URL) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.isDirectoryKey])
            .filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }
    }

    /// Every Swift file below a folder.
    static func swiftFiles(below folder: URL) -> [URL] {
        let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (found?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
    }

    /// The modules that the files of a folder import.
    static func imports(below folder: URL) throws -> Set<String> {
        let statement =
            #/
            ^\s* (?: @\w+ (?: \( [^)]* \) )? \s+ )*
            (?: (?: public | package | internal | fileprivate | private ) \s+ )?
            import \s+
            (?: (?: struct | class | enum | protocol | typealias | func | var | let ) \s+ )?
            (\w+)
            /#
        var modules: Set<String> = []
        for file in swiftFiles(below: folder) {
            for line in try text(file).split(separator: "\n") {
                guard let match = line.prefixMatch(of: statement) else { continue }
                modules.insert(String(match.1))
            }
        }
        return modules
    }
}
