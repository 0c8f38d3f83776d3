extension VectorFolder {
    /// Judges every case of every file, one after the other. An invalid file fails; the others still run. Throws
    /// `unreadable`, and what ends the judging.
    nonisolated(nonsending) func report(
        judging judge: (VectorFile, VectorCase) async throws(VectorFault) -> VectorResult.Outcome
    ) async throws(VectorFault) -> VectorReport {
        var files: [VectorFileReport] = []
        for path in try paths() {
            let read = Result { () throws(VectorFault) in try file(path) }
            switch read {
            case .success(let file): files.append(try await file.report(judging: judge))
            case .failure(let fault): files.append(VectorFileReport(path: path, results: [], fault: fault))
            }
        }
        return VectorReport(files: files)
    }
}

extension VectorFile {
    /// Judges every case.
    nonisolated(nonsending) func report<Fault: Error>(
        judging judge: (VectorFile, VectorCase) async throws(Fault) -> VectorResult.Outcome
    ) async throws(Fault) -> VectorFileReport {
        var results: [VectorResult] = []
        for vector in cases { results.append(VectorResult(name: vector.name, outcome: try await judge(self, vector))) }
        return VectorFileReport(path: path, results: results, fault: nil)
    }
}
