import LightningCoding

/// Cases that an implementation is known to fail, and why: `{"bolt-11/decode.json": {"name of the case": "reason"}}`.
package struct KnownFailures: Hashable, Sendable {
    private struct Key: Hashable {
        let file: String
        let name: String
    }

    private let reasons: [Key: String]

    package static let none = KnownFailures()

    private init() { reasons = [:] }

    package init(parsing bytes: [UInt8], path: String) throws(VectorFault) {
        let json = try rethrowing(JSONValue(parsing: bytes)) { VectorFault(.notJSON($0), file: path) }
        guard let files = json.object else { throw VectorFault(.notAnObject, file: path) }
        var reasons: [Key: String] = [:]
        for file in files.members {
            guard let cases = file.value.object else { throw VectorFault(.missing(file.key), file: path) }
            for member in cases.members {
                guard let reason = member.value.string else { throw VectorFault(.missing(member.key), file: path) }
                reasons[Key(file: file.key, name: member.key)] = reason
            }
        }
        self.reasons = reasons
    }

    /// The report with known failures marked; one that no longer fails, or that no case has, fails.
    ///
    /// - Parameter folder: whose files were run; cases of others are left out.
    func applied(to report: VectorReport, of folder: VectorFolder) -> VectorReport {
        var left = reasons
        var files = report.files.map { file in
            VectorFileReport(
                path: file.path,
                results: file.results.map { result in
                    guard let reason = left.removeValue(forKey: Key(file: file.path, name: result.name)) else {
                        return result
                    }
                    return VectorResult(name: result.name, outcome: result.outcome.known(reason))
                }, fault: file.fault)
        }
        let missing = left.keys.filter { folder.covers($0.file) }
        for (file, keys) in Dictionary(grouping: missing, by: \.file).sorted(by: { $0.key < $1.key }) {
            let results = keys.map(\.name).sorted().map {
                VectorResult(name: $0, outcome: .failed(reason: "listed as a known failure, but there is no such case"))
            }
            files.append(VectorFileReport(path: file, results: results, fault: nil))
        }
        return VectorReport(files: files)
    }
}

extension VectorResult.Outcome {
    fileprivate func known(_ reason: String) -> Self {
        switch self {
        case .failed(let found): .known(reason: "\(reason) (\(found))")
        case .passed, .skipped, .known: .failed(reason: "listed as a known failure, but does not fail")
        }
    }
}
