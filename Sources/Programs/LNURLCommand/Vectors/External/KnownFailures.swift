import LightningCoding

/// Cases that an implementation is known to fail, and why: `{"bolt-11/decode.json": {"name of the case": "reason"}}`.
package struct KnownFailures: Sendable {
    private let reasons: [String: [String: String]]

    package init?(parsing bytes: [UInt8]) {
        guard let files = (try? JSONValue(parsing: bytes))?.object else { return nil }
        var reasons: [String: [String: String]] = [:]
        for file in files.members {
            guard let cases = file.value.object else { return nil }
            for member in cases.members {
                guard let reason = member.value.string else { return nil }
                reasons[file.key, default: [:]][member.key] = reason
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
            let results = file.results.map { result in
                guard let name = result.name, let reason = left[file.path]?.removeValue(forKey: name) else {
                    return result
                }
                return VectorResult(name: name, outcome: result.outcome.known(reason))
            }
            return VectorFileReport(path: file.path, results: results)
        }
        let missing = left.filter { !$0.value.isEmpty && folder.covers($0.key) }
        for (file, cases) in missing.sorted(by: { $0.key < $1.key }) {
            let results = cases.keys.sorted().map {
                VectorResult(name: $0, outcome: .failed(reason: "listed as a known failure, but there is no such case"))
            }
            files.append(VectorFileReport(path: file, results: results))
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
