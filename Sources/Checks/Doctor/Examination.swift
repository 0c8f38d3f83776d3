package import LightningCoding
package import OutboundHTTP

/// Sends the requests of a plan one after the other, politely, and judges what came back.
package struct Examination: Sendable {
    package typealias Sender = @Sendable (Probe, HTTPRequest) async -> Result<HTTPResponse, OutboundFault>

    private let plan: ProbePlan
    private let checks: [ServiceCheck]
    private let network: Network?
    private let pause: Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameter isDeep: whether invoices are requested at the limits.
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

    /// - Parameters:
    ///   - send: sends one request.
    ///   - report: is told of each probe before it is sent, and how many there are.
    package func run(
        sending send: Sender, reporting report: (Probe, _ number: Int, _ total: Int) -> Void = { _, _, _ in }
    ) async throws(CancellationError) -> DoctorReport {
        var evidence = Evidence(plan.service, network: network, now: plan.seed.now)
        var silences = 0
        for (index, probe) in plan.probes.enumerated() {
            report(probe, index + 1, plan.probes.count)
            let request: HTTPRequest
            do throws(Skipped) {
                request = try plan.request(for: probe, after: evidence)
            } catch {
                evidence.omissions[probe] = error.reason
                continue
            }
            if !evidence.exchanges.isEmpty { try await wait() }
            let exchange = HTTPExchange(request: request, outcome: await send(probe, request))
            evidence.record(exchange, of: probe)
            guard probe != .dnsName else { continue }
            silences = exchange.silence == nil ? 0 : silences + 1
            // Asking on would only wait.
            if probe == .info, silences > 0 { break }
            guard silences == Self.patience else { continue }
            silences = 0
            // A service that breaks down at bad input still answers what it has answered before.
            try await wait()
            let first = plan.service.request(.get, plan.service.url, headers: ProbePlan.headers)
            if let reason = HTTPExchange(request: first, outcome: await send(.info, first)).silence {
                evidence.outage = (
                    "stopped, since \(Self.patience) requests were not answered, nor the first one again: \(reason)",
                    probe
                )
                break
            }
        }
        return DoctorReport(evidence: evidence, findings: checks.map { $0.finding(in: evidence) })
    }

    /// So many requests in a row may go without an answer before it is asked whether the service is still there.
    private static let patience = 3

    private func wait() async throws(CancellationError) {
        guard pause > .zero else { return }
        do {
            try await sleep(pause)
        } catch {
            throw CancellationError()
        }
    }
}
