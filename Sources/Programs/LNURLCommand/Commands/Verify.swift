import Platform
import ArgumentParser
import Bolt11
import Doctor
import LNURL
import LightningCoding
import LightningCrypto

struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ask whether an invoice has been paid (LUD-21).",
        discussion: """
            The status is 0 when it is settled, 3 when it is not, 5 when it has expired unpaid.

            EXAMPLES
              lnurl verify https://example.com/lnurlpay/alice/7c1b…
              lnurl verify https://example.com/lnurlpay/alice/7c1b… --wait 60
              lnurl request alice@example.com 21sat --json | lnurl verify - --wait
            """
    )

    @Argument(
        help: "The URL under \"verify\" in the answer with the invoice; \"-\" takes it, or that answer, from input.")
    var url: String

    @Option(
        help: ArgumentHelp(
            "Repeat until it is settled, for at most this time; without a number, until the invoice expires.",
            valueName: "seconds"))
    var wait: Double?

    @Option(help: ArgumentHelp("The pause between two requests.", valueName: "seconds"))
    var interval: Double = 2

    @OptionGroup var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard interval >= 0.05, interval <= 3600 else {
            throw ValidationError("--interval must be 0.05 to 3600 seconds.")
        }
        guard wait.map({ $0 > 0 && ($0 <= 604_800 || $0.isInfinite) }) ?? true else {
            throw ValidationError("--wait must be at most 604800 seconds, and above 0.")
        }
    }

    func run() async throws {
        try await output.print {
            let url = try Self.verifyURL(url)
            let service = try network.service(at: url)
            guard let wait else { return try await Self.outcome(of: service, at: url) }
            return try await Self.wait(wait, pausing: .milliseconds(Int64(interval * 1000)), service, url)
        }
    }

    /// Gives a `--wait` without a number an infinite one: the parser's options either always or never take a value.
    static func withExplicitWait(_ arguments: [String]) -> [String] {
        guard arguments.first == "verify" else { return arguments }
        return arguments.indices.map { index in
            guard arguments[index] == "--wait" else { return arguments[index] }
            let isNumberNext = arguments.dropFirst(index + 1).first.flatMap(Double.init) != nil
            return isNumberNext ? "--wait" : "--wait=\(Double.infinity)"
        }
    }

    private static func verifyURL(_ argument: String) throws(ToolFault) -> HTTPURL {
        var text = try Target.text(argument)
        if text.hasPrefix("{") {
            guard let json = try? JSONValue(parsing: text), let verify = json["verify"]?.string else {
                throw .answerText
            }
            text = verify
        }
        return try Target.url(text)
    }

    private static func wait(
        _ limit: Double, pausing interval: Duration, _ service: Service, _ url: HTTPURL
    ) async throws -> Outcome {
        let start = MonotonicTime.now
        let progress = Progress()
        defer { progress.end() }
        while true {
            let state: Result<Outcome, ToolFault>
            do throws(ToolFault) {
                let outcome = try await outcome(of: service, at: url)
                guard outcome.status == .pending else { return outcome }
                state = .success(outcome)
            } catch {
                guard error.status == .noAnswer else { throw error }
                state = .failure(error)
            }
            let elapsed = (MonotonicTime.now - start) / .seconds(1)
            guard elapsed + interval / .seconds(1) < limit else { return try state.get() }
            let words = if case .failure(let fault) = state { fault.reason.printable } else { "not paid yet" }
            progress.show("\(words) (\(Int(elapsed)) s)", once: "\(words); waiting")
            try await Task.sleep(for: interval)
        }
    }

    private static func outcome(of service: Service, at url: HTTPURL) async throws(ToolFault) -> Outcome {
        let received = try await service.get(url)
        let answer = try rethrowing(VerifyResponse(json: received.json), as: ToolFault.answer)
        var evidence = try Evidence(of: .web(url))
        evidence.record(.verify, at: url, received.response)
        var checks = evidence.checks(of: .verify)
        let invoice = try? Bolt11Invoice(answer.pr)
        if invoice == nil { checks.append(.warning("invoice", "the answer's pr cannot be read as BOLT11")) }
        let proof = answer.settled ? answer.proof(of: invoice) : nil
        if let proof { checks.append(proof) }
        let isExpired = invoice?.contents.isExpired(at: .now()) ?? false
        var outcome = Outcome()
        let state = answer.settled ? ExitStatus.ok : isExpired ? .expired : .pending
        outcome.status = checks.haveFailed ? .brokenRule : state
        outcome.page.add(title: proof?.verdict == .failed ? ExitStatus.brokenRule.headline : state.headline)
        outcome.page.add("amount", invoice?.amount?.formatted)
        outcome.page.add("payment hash", invoice?.paymentHash.hexadecimal)
        outcome.page.add("preimage", answer.preimage?.hexadecimal)
        if !answer.settled { outcome.page.add("expires", invoice?.expiresAt.iso8601) }
        outcome.page.add(summaryOf: checks)
        outcome.json = [
            "url": .string(url.text), "settled": .bool(answer.settled), "expired": .bool(!answer.settled && isExpired),
            "preimage": .text(answer.preimage?.hexadecimal),
            "paymentHash": .text(invoice?.paymentHash.hexadecimal),
            "pr": .string(answer.pr), "checks": checks.json,
        ]
        return outcome
    }
}

extension ExitStatus {
    fileprivate var headline: String {
        switch self {
        case .ok: "Settled"
        case .expired: "Expired, not paid"
        case .brokenRule: "The service says settled, and its proof is wrong"
        default: "Not paid yet"
        }
    }
}
