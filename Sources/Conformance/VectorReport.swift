/// The result of one case.
public struct VectorResult: Hashable, Sendable {
    /// The result.
    public enum Outcome: Hashable, Sendable {
        /// Accepted with the expected values, or rejected by the expected rule.
        case passed
        /// Any other result.
        case failed(reason: String)
        /// It fails as it is known to do.
        case known(reason: String)
        /// The implementation does not do this.
        case skipped(reason: String)
    }

    /// The case's name.
    public let name: String
    /// The result.
    public let outcome: Outcome
}

/// The results of one file.
public struct VectorFileReport: Hashable, Sendable {
    /// The file, relative to the vectors folder.
    public let path: String
    /// One result for every case, in order.
    public let results: [VectorResult]
    /// Why the file was invalid.
    public let fault: VectorFault?

    /// Cases that passed.
    public var passed: Int { results.count { $0.outcome == .passed } }
    /// Cases that failed; an invalid file counts as one.
    public var failed: Int { results.count { $0.outcome.isFailure } + (fault == nil ? 0 : 1) }
    /// Cases that fail as they are known to do.
    public var known: Int { results.count { $0.outcome.isKnown } }
    /// Cases that the implementation does not run.
    public var skipped: Int { results.count - passed - known - results.count { $0.outcome.isFailure } }

    /// A line for every failed case, or for an invalid file.
    public var remarks: [String] {
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

/// The results of a folder of vectors.
public struct VectorReport: Hashable, Sendable {
    /// One report for every file, sorted by path.
    public let files: [VectorFileReport]

    /// Cases that passed.
    public var passed: Int { files.reduce(0) { $0 + $1.passed } }
    /// Cases and files that failed.
    public var failed: Int { files.reduce(0) { $0 + $1.failed } }
    /// Cases that fail as they are known to do.
    public var known: Int { files.reduce(0) { $0 + $1.known } }
    /// Cases that the implementation does not run.
    public var skipped: Int { files.reduce(0) { $0 + $1.skipped } }
    /// Whether at least one case ran and none failed.
    public var isSuccess: Bool { failed == 0 && passed > 0 }
}

extension VectorResult.Outcome {
    fileprivate var isFailure: Bool {
        if case .failed = self { true } else { false }
    }

    fileprivate var isKnown: Bool {
        if case .known = self { true } else { false }
    }
}
