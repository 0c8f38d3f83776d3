/// One mistake in the configuration, and where it is.
package struct ConfigurationFault: Error, Hashable, Sendable {
    package enum Origin: Hashable, Sendable {
        case flag(String)
        case environment(String)
        case file(String, line: Int)
        case standard
    }

    package enum Problem: Hashable, Sendable {
        /// No setting has that name; perhaps a similar one was meant.
        case unknown(suggestion: String?)
        case value(SettingProblem)
        case unreadable(String)
    }

    package let key: String
    package let origin: Origin
    package let problem: Problem
}

package struct ConfigurationFaults: Error, Hashable, Sendable {
    package let faults: [ConfigurationFault]

    package init(faults: [ConfigurationFault]) {
        self.faults = faults
    }
}

extension [ConfigurationFault] {
    /// Reads a part, so that its mistakes do not hide those of others.
    mutating func collecting<Value>(_ read: () throws(ConfigurationFaults) -> Value) -> Value? {
        do {
            return try read()
        } catch {
            self += error.faults
            return nil
        }
    }
}

extension ConfigurationFault: CustomStringConvertible {
    package var description: String {
        let subject = key.isEmpty ? place : "\(place): \(key)"
        switch problem {
        case .unknown(let suggestion):
            return "\(subject) is not a setting" + (suggestion.map { "; did you mean \($0)?" } ?? "")
        case .value(.wrongForm(let expected)): return "\(subject) must be \(expected)"
        case .value(.notAllowed(let reason)): return "\(subject) \(reason)"
        case .unreadable(let reason): return "\(place): \(reason)"
        }
    }

    private var place: String {
        switch origin {
        case .flag(let flag): "flag --\(flag)"
        case .environment(let name): "environment variable \(name)"
        case .file(let path, let line): "\(path), line \(line)"
        case .standard: "configuration"
        }
    }
}

package enum NearestName {
    /// The candidate with the smallest edit distance, if that is at most a third of its length.
    package static func to(_ name: String, among candidates: [String]) -> String? {
        let ranked = candidates.map { (candidate: $0, distance: distance(Array(name), Array($0))) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, best.candidate.count / 3) ? best.candidate : nil
    }

    /// The edit distance: insertions, deletions, replacements and swaps of neighbors.
    package static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var rows = [Array(0...right.count)]
        for (i, a) in left.enumerated() {
            var row = [i + 1]
            for (j, b) in right.enumerated() {
                var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a == b ? 0 : 1))
                if i > 0, j > 0, a == right[j - 1], left[i - 1] == b { best = min(best, rows[i - 1][j - 1] + 1) }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[left.count][right.count]
    }
}
