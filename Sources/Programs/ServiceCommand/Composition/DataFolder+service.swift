import ServiceSetup
import LightningCoding
import OutboundHTTP

extension DataFolder {
    /// Large, since the service is trusted and thousands of peers make a long response.
    private static let limits = JSONLimits(maximumBytes: 16 << 20, maximumMembers: 2_000_000)

    /// Asks the service that runs on this folder, through its admin listener.
    ///
    /// - Throws: when no service is running there.
    func askService(_ path: String) async throws(CommandFailure) -> JSONValue {
        guard let address = ServiceLock.adminAddress(at: serviceLock), let base = try? HTTPURL("http://\(address)")
        else { throw CommandFailure(.unavailable, "no service is running on \(self.path)") }
        do {
            var configuration = HTTPClient.Configuration()
            configuration.maximumBodyBytes = Self.limits.maximumBytes
            let client = try HTTPClient(configuration)
            defer { client.close() }
            let authorization = try HTTPField(
                "Authorization", "Bearer \(String(decoding: adminToken(), as: UTF8.self))", isSecret: true)
            let response = try await client.send(
                HTTPRequest(.get, base.appendingPath(path), headers: [authorization], timeout: .seconds(10)))
            guard response.status == 200 else {
                throw CommandFailure(.unavailable, "the service answered with status \(response.status)")
            }
            return try JSONValue(parsing: response.body, limits: Self.limits)
        } catch let failure as CommandFailure {
            throw failure
        } catch let fault as OutboundFault {
            throw CommandFailure(.unavailable, "the service at \(base.text) does not answer: \(fault.reason)")
        } catch {
            throw CommandFailure(.unavailable, "the service's answer is not JSON")
        }
    }
}
