/// The available runners.
public struct VectorRegistry: Sendable {
    /// Every runner of this package, by standard.
    public static let all = VectorRegistry(VectorRunner.all)

    private let runners: [VectorRunner]

    /// Creates a registry.
    public init(_ runners: [VectorRunner]) {
        self.runners = runners
    }

    /// The supported folders and subjects: `bolt-11, decode`.
    public var subjects: Set<String> {
        Set(runners.map { "\($0.standard), \($0.subject)" })
    }

    /// Runs every file of a folder. An invalid file fails; the others still run. Throws `unreadable`.
    public func run(_ folder: VectorFolder) async throws(VectorFault) -> VectorReport {
        var files: [VectorFileReport] = []
        for path in try folder.paths() { files.append(await run(path, of: folder)) }
        return VectorReport(files: files)
    }

    /// Runs one file. Without a runner for its folder and subject, all its cases fail.
    public func run(_ file: VectorFile) async -> VectorFileReport {
        let runner = runners.first { $0.standard == file.folder && $0.subject == file.subject }
        let unknown = VectorResult.Outcome.failed(reason: "no runner for \(file.folder), \(file.subject)")
        var results: [VectorResult] = []
        for vector in file.cases {
            results.append(VectorResult(name: vector.name, outcome: await runner?.judge(vector) ?? unknown))
        }
        return VectorFileReport(path: file.path, results: results, fault: nil)
    }

    private func run(_ path: String, of folder: VectorFolder) async -> VectorFileReport {
        do {
            return await run(try folder.file(path))
        } catch {
            return VectorFileReport(path: path, results: [], fault: error)
        }
    }
}

extension VectorRunner {
    fileprivate static let all = [
        bech32, bigSize, tlv, blindedPaths, pathMaking, pathInstructions, onionMessages, transport, bolt11,
        bolt12Offers,
        bolt12Requests, bolt12Invoices, lud01, lud06, lud09, lud16, lud18, responder, registration,
    ].flatMap(\.self)
}
