package import LightningCoding

extension VectorReport {
    /// A table for people: a line per file, followed by its failures, and the totals.
    package var table: String {
        let width = files.reduce("Total".count) { max($0, $1.path.count) }
        func row(_ name: String, _ columns: [String]) -> String {
            let padded = columns.map { String(repeating: " ", count: max(0, 7 - $0.count)) + $0 }
            return name + String(repeating: " ", count: width - name.count) + padded.map { "  " + $0 }.joined()
        }
        // The other columns are for implementations that do not do everything.
        let isWhole = known + skipped == 0
        var lines = [row("File", ["Passed", "Failed"] + (isWhole ? [] : ["Known", "Skipped"]))]
        for file in files where isWhole || file.skipped < file.results.count {
            let further = isWhole ? [] : [file.known, file.skipped]
            lines.append(row(file.path, ([file.passed, file.failed] + further).map(String.init)))
            lines += file.remarks.map { "    " + $0 }
        }
        lines.append(row("Total", ([passed, failed] + (isWhole ? [] : [known, skipped])).map(String.init)))
        return lines.joined(separator: "\n")
    }

    /// One object for programs: the totals, and for every file its totals, fault and failures.
    package var json: JSONValue {
        [
            "passed": .integer(passed), "failed": .integer(failed), "known": .integer(known),
            "skipped": .integer(skipped), "files": .array(files.map(\.json)),
        ]
    }
}

extension VectorFileReport {
    fileprivate var json: JSONValue {
        [
            "path": .string(path), "passed": .integer(passed), "failed": .integer(failed),
            "known": .integer(known), "skipped": .integer(skipped), "remarks": .array(remarks.map { .string($0) }),
        ]
    }
}
