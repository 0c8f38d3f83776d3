import LightningCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The vectors folder: `Vectors/`, with a subfolder per standard.
public struct VectorFolder: Sendable {
    /// Its path.
    public let directory: String

    /// Creates one from a local path.
    public init(directory: String) {
        self.directory = directory
    }

    /// The paths of all `.json` files in subfolders, relative to this folder, sorted. Throws `unreadable`.
    public func paths() throws(VectorFault) -> [String] {
        var paths: [String] = []
        for folder in try entries(of: "") where isDirectory(folder) {
            for name in try entries(of: folder) where name.hasSuffix(".json") {
                paths.append(folder + "/" + name)
            }
        }
        return paths.sorted()
    }

    /// Parses one file. Throws what is wrong with it.
    public func file(_ path: String) throws(VectorFault) -> VectorFile {
        guard let content = FileManager.default.contents(atPath: location(of: path)) else {
            throw VectorFault(.unreadable, file: path)
        }
        return try VectorFile(parsing: Array(content), path: path)
    }

    private func entries(of folder: String) throws(VectorFault) -> [String] {
        try rethrowing(
            FileManager.default.contentsOfDirectory(atPath: location(of: folder)),
            as: VectorFault(.unreadable, file: folder.isEmpty ? directory : folder))
    }

    private func isDirectory(_ path: String) -> Bool {
        var isDirectory = false
        return FileManager.default.fileExists(atPath: location(of: path), isDirectory: &isDirectory) && isDirectory
    }

    private func location(of path: String) -> String {
        path.isEmpty ? directory : directory + "/" + path
    }
}
