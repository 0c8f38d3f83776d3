#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The folder of all vectors: `Vectors/`, with a folder for each standard.
public struct VectorFolder: Sendable {
    /// Where it lies.
    public let directory: String

    /// A folder on this machine.
    public init(directory: String) {
        self.directory = directory
    }

    /// The paths of all `.json` files one folder deep, from this folder on, sorted. Throws `unreadable`.
    public func paths() throws(VectorFault) -> [String] {
        var paths: [String] = []
        for folder in try entries(of: "") where isDirectory(folder) {
            for name in try entries(of: folder) where name.hasSuffix(".json") {
                paths.append(folder + "/" + name)
            }
        }
        return paths.sorted()
    }

    /// Reads one file. Throws what is wrong with it.
    public func file(_ path: String) throws(VectorFault) -> VectorFile {
        guard let content = FileManager.default.contents(atPath: location(of: path)) else {
            throw VectorFault(.unreadable, file: path)
        }
        return try VectorFile(parsing: Array(content), path: path)
    }

    private func entries(of folder: String) throws(VectorFault) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: location(of: folder))
        } catch {
            throw VectorFault(.unreadable, file: folder.isEmpty ? directory : folder)
        }
    }

    private func isDirectory(_ path: String) -> Bool {
        var isDirectory = false
        return FileManager.default.fileExists(atPath: location(of: path), isDirectory: &isDirectory) && isDirectory
    }

    private func location(of path: String) -> String {
        path.isEmpty ? directory : directory + "/" + path
    }
}
