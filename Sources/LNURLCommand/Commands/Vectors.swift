import ArgumentParser
import Conformance
import LightningCoding

/// `lnurl vectors`
struct Vectors: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Work with the conformance vectors.",
        subcommands: [Run.self]
    )

    /// `lnurl vectors run`
    struct Run: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Run every vector against this implementation, and print a table.",
            discussion: """
                The status is 2 when a vector fails.

                EXAMPLES
                  lnurl vectors run
                  lnurl vectors run path/to/Vectors --json
                """
        )

        @Argument(help: "The folder with a folder for each standard.")
        var directory = "Vectors"

        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.print {
                let report = try await awaiting(
                    await VectorRegistry.all.run(VectorFolder(directory: directory)), as: ToolFault.vectors)
                var outcome = Outcome(status: report.isSuccess ? .ok : .brokenRule)
                outcome.page.add(report.table)
                outcome.json = report.json.object ?? JSONObject()
                return outcome
            }
        }
    }
}
