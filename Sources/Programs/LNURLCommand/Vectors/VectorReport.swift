import LightningCoding

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

    /// The case; nil for a file that is invalid as a whole.
    package let name: String?
    package let outcome: Outcome

    fileprivate var remark: String? {
        let subject = name.map { "“\($0)”: " } ?? ""
        return switch outcome {
        case .passed, .skipped: nil
        case .known(let reason): "known: \(subject)\(reason)"
        case .failed(let reason): "failed: \(subject)\(reason)"
        }
    }
}

extension [VectorResult] {
    package var passed: Int { count { if case .passed = $0.outcome { true } else { false } } }
    package var failed: Int { count { if case .failed = $0.outcome { true } else { false } } }
    package var known: Int { count { if case .known = $0.outcome { true } else { false } } }
    package var skipped: Int { count { if case .skipped = $0.outcome { true } else { false } } }

    package var remarks: [String] { compactMap(\.remark) }

    fileprivate var counts: JSONObject {
        [
            "passed": .integer(passed), "failed": .integer(failed), "known": .integer(known),
            "skipped": .integer(skipped),
        ]
    }
}

package struct VectorFileReport: Hashable, Sendable {
    package let path: String
    /// One result for every case, in order; or one for an invalid file.
    package let results: [VectorResult]

    fileprivate var json: JSONValue {
        var json: JSONObject = ["path": .string(path)]
        json.append(results.counts)
        json.append("remarks", .array(results.remarks.map { .string($0) }))
        return .object(json)
    }
}

package struct VectorReport: Hashable, Sendable {
    package let files: [VectorFileReport]

    package var results: [VectorResult] { files.flatMap(\.results) }

    package var isSuccess: Bool { results.failed == 0 && results.passed > 0 }

    /// A table for people: a line per file, followed by its failures, and the totals.
    package var table: String {
        let width = files.reduce("Total".count) { max($0, $1.path.count) }
        // The other columns are for implementations that do not do everything.
        let isWhole = results.known + results.skipped == 0
        func row(_ name: String, _ columns: [String]) -> String {
            let padded = columns.prefix(isWhole ? 2 : 4).map {
                String(repeating: " ", count: max(0, 9 - $0.count)) + $0
            }
            return name + String(repeating: " ", count: width - name.count) + padded.joined()
        }
        func row(_ name: String, _ results: [VectorResult]) -> String {
            row(name, [results.passed, results.failed, results.known, results.skipped].map(String.init))
        }
        var lines = [row("File", ["Passed", "Failed", "Known", "Skipped"])]
        for file in files where isWhole || file.results.skipped < file.results.count {
            lines.append(row(file.path, file.results))
            lines += file.results.remarks.map { "    " + $0 }
        }
        lines.append(row("Total", results))
        return lines.joined(separator: "\n")
    }

    var json: JSONObject {
        var json = results.counts
        json.append("files", .array(files.map(\.json)))
        return json
    }
}
