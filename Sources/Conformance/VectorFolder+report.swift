extension VectorFolder {
    /// Judges every case of every file, one after the other. An invalid file fails; the others still run. Throws
    /// `unreadable`.
    nonisolated(nonsending) func report(
        judging judge: (VectorFile, VectorCase) async -> VectorResult.Outcome
    ) async throws(VectorFault) -> VectorReport {
        var files: [VectorFileReport] = []
        for path in try paths() {
            do throws(VectorFault) {
                files.append(await (try file(path)).report(judging: judge))
            } catch {
                files.append(VectorFileReport(path: path, results: [], fault: error))
            }
        }
        return VectorReport(files: files)
    }
}

extension VectorFile {
    /// Judges every case.
    nonisolated(nonsending) func report(
        judging judge: (VectorFile, VectorCase) async -> VectorResult.Outcome
    ) async -> VectorFileReport {
        var results: [VectorResult] = []
        for vector in cases { results.append(VectorResult(name: vector.name, outcome: await judge(self, vector))) }
        return VectorFileReport(path: path, results: results, fault: nil)
    }
}
