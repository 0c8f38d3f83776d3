/// What came of one case.
public struct VectorResult: Hashable, Sendable {
    /// What came of it.
    public enum Outcome: Hashable, Sendable {
        /// Accepted with the expected values, or rejected by the expected rule.
        case passed
        /// Something else.
        case failed(reason: String)
    }

    /// The case's name.
    public let name: String
    /// What came of it.
    public let outcome: Outcome

    /// What came of the case of a name.
    public init(name: String, outcome: Outcome) {
        self.name = name
        self.outcome = outcome
    }
}

/// What came of one file.
public struct VectorFileReport: Hashable, Sendable {
    /// The file, from the folder of all vectors on.
    public let path: String
    /// One result for every case, in order.
    public let results: [VectorResult]
    /// Why the file could not be used at all.
    public let fault: VectorFault?

    /// The results of a file, or the fault that left it without any.
    public init(path: String, results: [VectorResult], fault: VectorFault?) {
        self.path = path
        self.results = results
        self.fault = fault
    }

    /// Cases that passed.
    public var passed: Int { results.count { $0.outcome == .passed } }
    /// Cases that failed; a file that could not be used counts as one.
    public var failed: Int { results.count - passed + (fault == nil ? 0 : 1) }

    /// One line for every case that did not pass, and for a file that could not be used.
    public var remarks: [String] {
        let cases = results.compactMap { result in
            switch result.outcome {
            case .passed: String?.none
            case .failed(let reason): "failed: “\(result.name)”: \(reason)"
            }
        }
        return (fault.map { ["failed: \($0.reason)"] } ?? []) + cases
    }
}

/// What came of a folder of vectors.
public struct VectorReport: Hashable, Sendable {
    /// One report for every file, sorted by path.
    public let files: [VectorFileReport]

    /// The reports of all files.
    public init(files: [VectorFileReport]) {
        self.files = files
    }

    /// Cases that passed.
    public var passed: Int { files.reduce(0) { $0 + $1.passed } }
    /// Cases and files that failed.
    public var failed: Int { files.reduce(0) { $0 + $1.failed } }
    /// Whether there was something to judge and nothing failed.
    public var isSuccess: Bool { failed == 0 && passed > 0 }
}
