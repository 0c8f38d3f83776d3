import ArgumentParser
import Doctor
import LNURL
import LightningCoding

struct Examine: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check a Lightning address as strict wallets would, and report what is wrong.",
        discussion: """
            Some 60 requests are sent, one after the other. Invoices are requested, and nothing is paid. The status is \
            2 when a rule is broken, 6 when there are only warnings, 4 when the service stops answering.

            EXAMPLES
              lnurl doctor alice@example.com
              lnurl doctor alice@example.com --deep --verbose
              lnurl doctor alice@example.com --only cross-origin --only identifier --json
              lnurl doctor alice@example.com --against https://staging.example.net
              lnurl doctor --list
            """
    )

    @Argument(help: "An address, LNURL or URL, or \"-\" for standard input.")
    var target: String?

    @Flag(help: "List all checks with their rules, and send nothing.")
    var list = false

    @Option(help: ArgumentHelp("Make only this check; may be repeated.", valueName: "check"))
    var only: [String] = []

    @Flag(help: "Also request invoices at the limits.")
    var deep = false

    @Option(help: ArgumentHelp("How many requests to send a second, at most.", valueName: "number"))
    var rate: Double = 4

    @Option(help: ArgumentHelp("Ask this server in place of the address's, under the same name.", valueName: "url"))
    var against: String?

    @Option(
        help: ArgumentHelp(
            "Look for the name in the DNS (BIP-353), at this resolver (DNS over HTTPS).", valueName: "url"))
    var resolver: String?

    @Option(
        name: .customLong("network"),
        help: ArgumentHelp("Expect invoices of another network than bitcoin.", valueName: "name"),
        transform: Network.named)
    var expectedNetwork: Network?

    @Flag(help: "Show every check with its rule and exchanges, not only what fails or warns.")
    var verbose = false

    @OptionGroup var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard list != (target != nil) else { throw ValidationError("Give either a target or --list.") }
        guard rate > 0, rate <= 1000 else { throw ValidationError("--rate must be above 0 and at most 1000.") }
        let names = Set(ServiceCheck.all.map(\.name))
        if let unknown = only.first(where: { !names.contains($0) }) {
            throw ValidationError("There is no check \(unknown); --list shows them.")
        }
    }

    func run() async throws {
        try await output.print {
            guard let target else { return Self.catalog }
            let report = try await report(on: try service(Target.read(target)))
            return Outcome(of: report, isVerbose: verbose)
        }
    }

    private func service(_ target: LNURLTarget) throws(ToolFault) -> ExaminedService {
        let standIn = try against.map { (text) throws(ToolFault) in try Target.url(text) }
        let resolver = try resolver.map { (text) throws(ToolFault) in try Target.url(text) }
        _ = try Target.payURL(target)
        guard let service = ExaminedService(target, against: standIn, resolver: resolver) else { throw .notAskable }
        return service
    }

    private func report(on service: ExaminedService) async throws(ToolFault) -> DoctorReport {
        let asked = try network.service(at: service.standIn ?? service.url)
        let resolver = try service.resolver.map { (url) throws(ToolFault) in try network.service(at: url) }
        let checks = only.isEmpty ? ServiceCheck.all : ServiceCheck.all.filter { only.contains($0.name) }
        let seed = try rethrowing(ProbeSeed(now: .now()), as: ToolFault.noRandomness)
        let examination = Examination(
            of: service, checks: checks, network: expectedNetwork, isDeep: deep,
            pause: .microseconds(Int64(1_000_000 / rate)), seed: seed)
        let progress = Progress()
        defer { progress.end() }
        do throws(CancellationError) {
            return try await examination.run(
                sending: { probe, request in
                    // A URL of an answer may lead to the resolver's host, too.
                    await (probe == .dnsName ? resolver ?? asked : asked).outcome(of: request)
                },
                reporting: { probe, number, total in
                    progress.show(
                        "\(number) of \(total): \(probe.rawValue)", once: "sending up to \(total) requests")
                })
        } catch {
            throw .interrupted
        }
    }

    private static var catalog: Outcome {
        var outcome = Outcome()
        for group in CheckGroup.all {
            outcome.page.add(title: group.title)
            for check in group.checks {
                outcome.page.add(check.name, "\(check.subject) (\(check.severity.rawValue), \(check.rule.document))")
            }
        }
        outcome.json = [
            "checks": .array(
                ServiceCheck.all.map { check in
                    [
                        "name": .string(check.name), "subject": .string(check.subject),
                        "severity": .string(check.severity.rawValue), "document": .string(check.rule.document),
                        "rule": .string(check.rule.text),
                    ]
                })
        ]
        return outcome
    }
}
