import HTTPTypes
import LightningCoding
import Platform
import Testing
@testable import HTTPService

/// A service for app users without sockets, and one phone.
struct Phone {
    let fixture: GatewayFixture
    let device: TestDevice

    /// - Parameter host: where its replies go.
    init(_ fixture: GatewayFixture, number: UInt8 = 0x11, host: String? = nil) throws {
        self.fixture = fixture
        let now = fixture.service.clock
        device = try TestDevice(number, now: { now.now }) { path, body, age in
            let headers: HTTPFields = age.map { [.cacheControl: "max-age=\($0)"] } ?? [:]
            _ = try? await fixture.ask(path, .post, headers: headers, body: body, host: host)
        }
    }

    /// A phone that is registered as `phone`.
    static func registered(
        time: Duration = .seconds(20), rates: ServiceRates = ServiceRates(), monotonic: MonotonicClock = .system
    ) async throws -> Phone {
        let phone = try Phone(try await GatewayFixture(rates: rates, time: time, monotonic: monotonic))
        let answer = try await phone.fixture.register(phone.device, as: "Phone")
        #expect(answer.status == 200)
        return phone
    }

    /// The path of the verify URL that a payer gets with an invoice.
    func verifyPath(by name: String = "phone") async throws -> String {
        let invoice = try await fixture.ask("/lnurlpay/\(name)/invoice?amount=1000").json()
        return try HTTPURL(try #require(invoice["verify"]?.string)).path
    }
}
