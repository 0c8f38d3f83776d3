package struct VectorResult: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        /// Accepted with the expected values, or rejected by the expected rule.
        case passed
        case failed(reason: String)
        /// It fails as it is known to do.
        case known(reason: String)
        /// The implementation does not do this.
        case skipped(reason: String)
    }

    package let name: String
    package let outcome: Outcome
}

package struct VectorFileReport: Hashable, Sendable {
    /// The file, relative to the vectors folder.
    package let path: String
    /// One result for every case, in order.
    package let results: [VectorResult]
    package let fault: VectorFault?

    package var passed: Int { results.count { $0.outcome == .passed } }
    /// Cases that failed; an invalid file counts as one.
    package var failed: Int { results.count { $0.outcome.isFailure } + (fault == nil ? 0 : 1) }
    package var known: Int { results.count { $0.outcome.isKnown } }
    /// Cases that the implementation does not run.
    package var skipped: Int { results.count - passed - known - results.count { $0.outcome.isFailure } }

    /// A line for every failed case, or for an invalid file.
    package var remarks: [String] {
        let cases = results.compactMap { result in
            switch result.outcome {
            case .passed, .skipped: String?.none
            case .known(let reason): "known: “\(result.name)”: \(reason)"
            case .failed(let reason): "failed: “\(result.name)”: \(reason)"
            }
        }
        return (fault.map { ["failed: \($0.reason)"] } ?? []) + cases
    }
}

package struct VectorReport: Hashable, Sendable {
    /// One report for every file, sorted by path.
    package let files: [VectorFileReport]

    package var passed: Int { files.reduce(0) { $0 + $1.passed } }
    package var failed: Int { files.reduce(0) { $0 + $1.failed } }
    package var known: Int { files.reduce(0) { $0 + $1.known } }
    /// Cases that the implementation does not run.
    package var skipped: Int { files.reduce(0) { $0 + $1.skipped } }
    /// Whether at least one case ran and none failed.
    package var isSuccess: Bool { failed == 0 && passed > 0 }
}

extension VectorResult.Outcome {
    fileprivate var isFailure: Bool {
        if case .failed = self { true } else { false }
    }

    fileprivate var isKnown: Bool {
        if case .known = self { true } else { false }
    }
}
