import ArgumentParser
import LightningCoding

struct Vectors: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Work with the conformance vectors.",
        subcommands: [Run.self]
    )

    struct Run: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Run every vector against this implementation, or another one, and print a table.",
            discussion: """
                The status is 2 when a vector fails. Vectors/README.md explains what another implementation reads and \
                writes.

                EXAMPLES
                  lnurl vectors run
                  lnurl vectors run --vectors path/to/Vectors --only bolt-11 --only lud-06/metadata --json
                  lnurl vectors run --implementation "python3 runner.py" --known-failures known.json
                """
        )

        @Option(help: ArgumentHelp("The folder with a folder for each standard.", valueName: "folder"))
        var vectors = "Vectors"

        @Option(help: ArgumentHelp("Run only this folder or file; may be repeated.", valueName: "folder/file"))
        var only: [String] = []

        @Option(
            help: ArgumentHelp("Run them against this program, given as a line for the shell.", valueName: "command"))
        var implementation: String?

        @Option(help: ArgumentHelp("The cases that it is known to fail (JSON).", valueName: "file"))
        var knownFailures: String?

        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard knownFailures == nil || implementation != nil else {
                throw ValidationError("--known-failures needs --implementation.")
            }
        }

        func run() async throws {
            try await output.print {
                let report = try await report(on: VectorFolder(directory: vectors, only: only))
                var outcome = Outcome(status: report.isSuccess ? .ok : .brokenRule)
                outcome.page.add(
                    report.table.split(separator: "\n").map { String($0).printable }.joined(separator: "\n"))
                outcome.json = report.json
                return outcome
            }
        }

        private func report(on folder: VectorFolder) async throws(ToolFault) -> VectorReport {
            guard let implementation else {
                return try await awaiting(await VectorRunner.all.run(folder), as: ToolFault.vectors)
            }
            let known = try knownFailures.map { (path) throws(ToolFault) in
                guard let bytes = try? Streams.read(path), let known = KnownFailures(parsing: bytes) else {
                    throw .knownFailures(path)
                }
                return known
            }
            let program = ExternalImplementation(["/bin/sh", "-c", "exec " + implementation])
            let report = try await awaiting(await program.run(folder), as: ToolFault.vectors)
            return known?.applied(to: report, of: folder) ?? report
        }
    }
}
