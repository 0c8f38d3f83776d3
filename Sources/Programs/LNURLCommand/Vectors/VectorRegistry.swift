package struct VectorRegistry: Sendable {
    /// Every runner of this package, by standard.
    package static let all = VectorRegistry(VectorRunner.all)

    private let runners: [VectorRunner]

    package init(_ runners: [VectorRunner]) {
        self.runners = runners
    }

    /// The supported folders and subjects: `bolt-11, decode`.
    package var subjects: Set<String> {
        Set(runners.map { "\($0.standard), \($0.subject)" })
    }

    /// Runs every file of a folder. An invalid file fails; the others still run. Throws `unreadable`.
    package func run(_ folder: VectorFolder) async throws(VectorFault) -> VectorReport {
        try await folder.report { await judge($1, of: $0) }
    }

    /// Runs one file. Without a runner for its folder and subject, all its cases fail.
    package func run(_ file: VectorFile) async -> VectorFileReport {
        await file.report { await judge($1, of: $0) }
    }

    private func judge(_ vector: VectorCase, of file: VectorFile) async -> VectorResult.Outcome {
        let runner = runners.first { $0.standard == file.folder && $0.subject == file.subject }
        return await runner?.judge(vector) ?? .failed(reason: "no runner for \(file.folder), \(file.subject)")
    }
}

extension VectorRunner {
    fileprivate static let all = [
        bech32, bigSize, tlv, blindedPaths, pathMaking, pathInstructions, onionMessages, transport, bolt11,
        bolt12Offers,
        bolt12Requests, bolt12Invoices, lud01, lud06, lud09, lud16, lud18, responder, http, registration, push,
    ].flatMap(\.self)
}
