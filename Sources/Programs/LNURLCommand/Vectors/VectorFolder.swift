import LightningCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

package struct VectorFolder: Sendable {
    package let directory: String
    /// The folders and files in it that count, such as `bolt-11` and `lud-06/metadata`; empty for all.
    var only: [String] = []

    func covers(_ path: String) -> Bool {
        only.isEmpty || only.contains { path == $0 || path == $0 + ".json" || path.hasPrefix($0 + "/") }
    }

    /// The paths of all `.json` files in subfolders that count, relative to this folder, sorted.
    ///
    /// Throws `unreadable`, also when no file is what is wanted.
    package func paths() throws(VectorFault) -> [String] {
        var paths: [String] = []
        for folder in try entries(of: "") where isDirectory(folder) {
            for name in try entries(of: folder) where name.hasSuffix(".json") {
                paths.append(folder + "/" + name)
            }
        }
        let wanted = paths.filter(covers)
        if let missing = only.first(where: { one in
            !wanted.contains { VectorFolder(directory: directory, only: [one]).covers($0) }
        }) {
            throw .unreadable(missing)
        }
        return wanted.sorted()
    }

    package func file(_ path: String) throws(VectorFault) -> VectorFile {
        guard let content = FileManager.default.contents(atPath: location(of: path)) else { throw .unreadable(path) }
        return try VectorFile(parsing: Array(content), path: path)
    }

    /// Judges every case of every file, one after the other. An invalid file fails; the others still run. Throws
    /// `unreadable`, and what ends the judging.
    nonisolated(nonsending) func report(
        judging judge: (VectorFile, VectorCase) async throws(VectorFault) -> VectorResult.Outcome
    ) async throws(VectorFault) -> VectorReport {
        var files: [VectorFileReport] = []
        for path in try paths() {
            var results: [VectorResult] = []
            switch Result(catching: { () throws(VectorFault) in try file(path) }) {
            case .success(let file):
                for vector in file.cases {
                    results.append(VectorResult(name: vector.name, outcome: try await judge(file, vector)))
                }
            case .failure(let fault): results.append(VectorResult(name: nil, outcome: .failed(reason: fault.reason)))
            }
            files.append(VectorFileReport(path: path, results: results))
        }
        return VectorReport(files: files)
    }

    private func entries(of folder: String) throws(VectorFault) -> [String] {
        try rethrowing(
            FileManager.default.contentsOfDirectory(atPath: location(of: folder)),
            as: VectorFault.unreadable(folder.isEmpty ? directory : folder))
    }

    private func isDirectory(_ path: String) -> Bool {
        var isDirectory = false
        return FileManager.default.fileExists(atPath: location(of: path), isDirectory: &isDirectory) && isDirectory
    }

    private func location(of path: String) -> String {
        path.isEmpty ? directory : directory + "/" + path
    }
}

package enum VectorFault: Error, Hashable, Sendable {
    /// A file or folder that cannot be used: which, the case in it, and why.
    case unusable(String)
    /// The program was started several times, and has never answered.
    case silentProgram(String)

    static func unreadable(_ path: String) -> Self { .unusable("\(path): it cannot be read") }

    package var reason: String {
        switch self {
        case .unusable(let reason): reason
        case .silentProgram(let command): "\(command): it was started three times, and gave no answer"
        }
    }
}
