package import LightningCoding
package import OutboundHTTP
import Platform

/// Sends the requests of a plan one after the other, politely, and judges what came back.
package struct Examination: Sendable {
    package typealias Sender = @Sendable (Probe, HTTPRequest) async -> Result<HTTPResponse, OutboundFault>

    package struct Progress: Sendable {
        /// How many probes have been sent or left out.
        package let done: Int
        package let total: Int
        package let probe: Probe
    }

    private let plan: ProbePlan
    private let checks: [ServiceCheck]
    private let network: Network?
    private let pause: Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Creates an examination.
    ///
    /// - Parameters:
    ///   - service: the service.
    ///   - checks: what to check.
    ///   - network: the network that invoices must be on; nil for bitcoin, or any on this machine.
    ///   - isDeep: whether invoices are requested at the limits.
    ///   - pause: between two requests.
    ///   - seed: what the requests contain by chance.
    ///   - sleep: waits for the pause.
    package init(
        of service: ExaminedService, checks: [ServiceCheck] = ServiceCheck.all, network: Network? = nil,
        isDeep: Bool = false, pause: Duration = .zero, seed: ProbeSeed,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        plan = ProbePlan(service, for: checks, isDeep: isDeep, seed: seed)
        self.checks = checks
        self.network = network
        self.pause = pause
        self.sleep = sleep
    }

    /// Sends everything, and judges it.
    ///
    /// - Parameters:
    ///   - send: sends one request.
    ///   - report: is told of each probe before it is sent.
    package func run(
        sending send: Sender, reporting report: @Sendable (Progress) -> Void = { _ in }
    ) async throws(CancellationError) -> DoctorReport {
        var evidence = Evidence(plan.service, network: network, now: plan.seed.now)
        var done = 0
        var hasSent = false
        var silences = 0
        for stage in Probe.Stage.allCases {
            for step in plan.steps(of: stage, after: evidence) {
                report(Progress(done: done, total: plan.probes.count, probe: step.probe))
                done += 1
                switch step {
                case .omit(let probe, let reason): evidence.omit(probe, reason)
                case .send(let probe, let request):
                    if hasSent { try await wait() }
                    hasSent = true
                    let exchange = await self.exchange(request, for: probe, send)
                    evidence.record(exchange, of: probe)
                    guard probe != .dnsName else { continue }
                    silences = exchange.silence == nil ? 0 : silences + 1
                    // Asking on would only wait.
                    if probe == .info, silences > 0 { return judged(evidence) }
                    guard silences == Self.patience else { continue }
                    silences = 0
                    // A service that breaks down at bad input still answers what it has answered before.
                    try await wait()
                    let first = plan.service.request(.get, plan.service.url, headers: ProbePlan.headers)
                    if let reason = await self.exchange(first, for: .info, send).silence {
                        evidence.end(
                            "stopped, since \(Self.patience) requests were not answered, nor the first one again: "
                                + reason, at: probe)
                        return judged(evidence)
                    }
                }
            }
        }
        return judged(evidence)
    }

    /// So many requests in a row may go without an answer before it is asked whether the service is still there.
    private static let patience = 3

    private func exchange(_ request: HTTPRequest, for probe: Probe, _ send: Sender) async -> RecordedExchange {
        RecordedExchange(request: request, outcome: await send(probe, request).map { RecordedAnswer($0) })
    }

    private func judged(_ evidence: Evidence) -> DoctorReport {
        DoctorReport(evidence, findings: checks.map { $0.finding(in: evidence) })
    }

    private func wait() async throws(CancellationError) {
        guard pause > .zero else { return }
        do {
            try await sleep(pause)
        } catch {
            throw CancellationError()
        }
    }
}
