/// Suggests the name that was probably meant by a mistyped one.
package enum NearestName {
    /// The candidate with the smallest edit distance, if that is at most a third of its length.
    package static func to(_ name: String, among candidates: [String]) -> String? {
        let ranked = candidates.map { (candidate: $0, distance: distance(Array(name), Array($0))) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, best.candidate.count / 3) ? best.candidate : nil
    }

    /// The edit distance: insertions, deletions, replacements and swaps of neighbours.
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
