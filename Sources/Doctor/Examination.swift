public import LightningCoding
public import OutboundHTTP
import Platform

/// Sends the requests of a plan one after the other, politely, and judges what came back.
public struct Examination: Sendable {
    /// Sends the request of a probe.
    public typealias Sender = @Sendable (Probe, HTTPRequest) async -> Result<HTTPResponse, OutboundFault>

    /// What an examination reports while it runs.
    public struct Progress: Sendable {
        /// How many probes have been sent or left out.
        public let done: Int
        /// How many there are.
        public let total: Int
        /// The probe that is sent now.
        public let probe: Probe
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
    public init(
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
    public func run(
        sending send: Sender, reporting report: @Sendable (Progress) -> Void = { _ in }
    ) async throws(CancellationError) -> DoctorReport {
        var evidence = Evidence(plan.service, network: network, now: plan.seed.now)
        var done = 0
        var hasSent = false
        for stage in Probe.Stage.allCases {
            for step in plan.steps(of: stage, after: evidence) {
                report(Progress(done: done, total: plan.probes.count, probe: step.probe))
                done += 1
                switch step {
                case .omit(let probe, let reason): evidence.omit(probe, reason)
                case .send(let probe, let request):
                    if hasSent { try await wait() }
                    hasSent = true
                    let outcome = await send(step.probe, request).map { RecordedAnswer($0) }
                    evidence.record(RecordedExchange(request: request, outcome: outcome), of: probe)
                    // Asking on would only wait.
                    if case (.info, .failure) = (probe, outcome) { return judged(evidence) }
                }
            }
        }
        return judged(evidence)
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
