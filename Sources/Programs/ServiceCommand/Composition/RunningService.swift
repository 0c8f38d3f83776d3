import HTTPService
import ServiceSetup
import LightningCoding
import OutboundHTTP

/// The service running on a data folder, queried through its admin listener.
struct RunningService: Sendable {
    private let base: HTTPURL
    private let token: [UInt8]

    static let timeout = Duration.seconds(10)
    /// Large, since the service is trusted and thousands of peers make a long response.
    static let limits = JSONLimits(maximumBytes: 16 << 20, maximumMembers: 2_000_000)

    /// Reads the service's address from the folder's lock file.
    ///
    /// - Throws: when no service is running there.
    init(_ folder: DataFolder) throws(CommandFailure) {
        guard let address = ServiceLock.adminAddress(at: folder.serviceLock),
            let base = try? HTTPURL("http://\(address)")
        else { throw CommandFailure(.unavailable, "no service is running on \(folder.path)") }
        self.base = base
        token = try folder.adminToken()
    }

    func get(_ path: String) async throws(CommandFailure) -> JSONValue {
        do {
            var configuration = HTTPClient.Configuration()
            configuration.maximumBodyBytes = Self.limits.maximumBytes
            let client = try HTTPClient(configuration)
            defer { client.close() }
            let authorization = try HTTPField(
                "Authorization", "Bearer \(String(decoding: token, as: UTF8.self))", isSecret: true)
            let response = try await client.send(
                HTTPRequest(.get, base.appendingPath(path), headers: [authorization], timeout: Self.timeout))
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
