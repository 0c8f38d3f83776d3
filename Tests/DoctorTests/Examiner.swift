import Doctor
import LNURL
import LightningCoding
import OutboundHTTP

/// Runs the doctor against a server of these tests.
enum Examiner {
    static func report(on fault: ServedFault = ServedFault(), isDeep: Bool = true) async throws -> DoctorReport {
        let server = try ExaminedServer(fault)
        let origin = try HTTPURL("http://127.0.0.1:\(server.port)")
        let address = try LightningAddress("alice@\(fault.domain ?? origin.authority)")
        return try await report(
            on: .address(address), against: fault.domain == nil ? nil : origin,
            resolver: origin.appendingPath("/dns-query"), network: fault.network, isDeep: isDeep)
    }

    static func report(
        on target: LNURLTarget, against standIn: HTTPURL? = nil, resolver: HTTPURL? = nil, network: Network? = nil,
        isDeep: Bool = true, checks: [ServiceCheck] = ServiceCheck.all, authorities: String? = nil
    ) async throws -> DoctorReport {
        guard let service = ExaminedService(target, against: standIn, resolver: resolver) else { throw NoService() }
        var configuration = HTTPClient.Configuration()
        // Nothing but this machine is asked, whatever a server answers.
        configuration.addressPolicy = AddressPolicy(
            scope: .any, hosts: ["127.0.0.1", "localhost"].compactMap(HostSuffix.init))
        configuration.certificateAuthorities = authorities
        let client = try HTTPClient(configuration)
        let seed = try ProbeSeed(now: ExaminedServer.now)
        return try await Examination(of: service, checks: checks, network: network, isDeep: isDeep, seed: seed).run {
            _, request in
            do throws(OutboundFault) {
                return .success(try await client.send(request))
            } catch {
                return .failure(error)
            }
        }
    }

    private struct NoService: Error {}
}

extension DoctorReport {
    /// The names of the checks with this verdict.
    func names(_ verdict: Verdict...) -> [String] {
        findings.filter { verdict.contains($0.verdict) }.map(\.check.name)
    }
}
