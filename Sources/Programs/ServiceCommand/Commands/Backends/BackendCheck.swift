import ArgumentParser
import BlindedPaths
import ServiceSetup
import LightningCoding
import ResponderModel

extension BackendCommands {
    struct Check: InstallationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show each node's identity and capabilities, and create one small invoice at it.",
            discussion: """
                Shows node id, network, receive limits, capabilities and missing permissions. The invoice is cancelled \
                immediately, or expires in a minute if the node cannot cancel. Exit code 69 if a node does not answer, 1 if \
                something else is wrong.
                """
        )

        @OptionGroup var common: CommonOptions
        @Argument(help: "The node's name (default: all).")
        var name: String?

        func perform() async throws(CommandFailure) -> CommandResult {
            try await Installation.openOrMake(settings.configuration()).closing {
                installation throws(CommandFailure) in
                try await report(on: installation.backends, clock: installation.now)
            }
        }

        private func report(
            on all: [BackendName: any ReceiveBackend], clock: WallClock
        ) async throws(CommandFailure) -> CommandResult {
            var backends = all
            if let name {
                let name = try BackendName(argument: name)
                backends = [name: try backends[name].found(or: "no node named \(name) is configured")]
            }
            var results: [(name: BackendName, look: Result<BackendExamination, BackendFault>)] = []
            for (name, backend) in backends.sorted(by: { $0.key.description < $1.key.description }) {
                do throws(BackendFault) {
                    results.append((name, .success(try await BackendExamination(of: backend, clock: clock))))
                } catch {
                    results.append((name, .failure(error)))
                }
            }
            let problems = results.flatMap { result in
                result.look.problems.map { "backend \(result.name): \($0)" }
            }
            let text = results.map { $0.look.text(of: $0.name) }.joined(separator: "\n")
            guard problems.isEmpty else {
                let isSilent = results.contains { if case .failure = $0.look { true } else { false } }
                if !output.json { StandardStream.output.write(text) }
                throw CommandFailure(isSilent ? .unavailable : .no, problems)
            }
            return CommandResult(
                text: text, json: ["backends": .array(results.map { $0.look.json(of: $0.name) })])
        }
    }
}
