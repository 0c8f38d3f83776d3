import CoreMetrics
import Devices
import HTTPTypes
import Hummingbird
import LightningCoding
import ResponderModel

/// Who may use a route of devices, and how often. Browsers of any site may, since nothing is answered without the secret
/// of a device.
struct DeviceAccess: Sendable {
    let center: MessageCenter
    let admission: Admission
    let metrics: any MetricsFactory

    /// The largest body of a request, in bytes.
    static let bodyLimit = 16_384

    func add(
        _ method: HTTPRequest.Method, _ path: String, to router: Router<ServiceContext>,
        _ work:
            @escaping @Sendable (Request, Device, ServiceContext) async throws(MessageCenterRefusal) -> Response
    ) {
        addOpen(method, path, for: nil, to: router) { request, context throws(MessageCenterRefusal) in
            try await work(request, device(by: request, context), context)
        }
    }

    /// Adds a route for everybody.
    ///
    /// - Parameter purpose: what is counted; nil when the work counts.
    func addOpen(
        _ method: HTTPRequest.Method, _ path: String, for purpose: Admission.Purpose?,
        to router: Router<ServiceContext>,
        _ work: @escaping @Sendable (Request, ServiceContext) async throws(MessageCenterRefusal) -> Response
    ) {
        let instruments = RouteInstruments(template: path, metrics: metrics)
        router.on(RouterPath(path), method: method) { [admission] request, context in
            await instruments.observe(context.logger) {
                do throws(MessageCenterRefusal) {
                    if let purpose, let seconds = admission.wait(for: purpose, request, context) {
                        throw .tooOften(retryAfter: seconds)
                    }
                    return .init(try await work(request, context))
                } catch {
                    return .init(error)
                }
            }
        }
    }

    /// The device whose secret a request shows, which counts for its owner.
    func device(by request: Request, _ context: ServiceContext) async throws(MessageCenterRefusal) -> Device {
        let device = try await known(request, context) { () async throws(MessageCenterRefusal) in
            try await center.device(showing: request.headers[.authorization])
        }
        if let seconds = admission.wait(for: device.profile.owner, request, context) {
            throw .tooOften(retryAfter: seconds)
        }
        return device
    }

    /// Reads what an owner must have signed, or a device have shown. Whatever nobody has counts for the network, and uses up
    /// no share of those behind the same address who have.
    func known<Value>(
        _ request: Request, _ context: ServiceContext, _ read: () async throws(MessageCenterRefusal) -> Value
    ) async throws(MessageCenterRefusal) -> Value {
        do throws(MessageCenterRefusal) {
            guard let seconds = admission.delay(of: .registrationRead, request, context) else {
                return try await read()
            }
            guard let value = try await admission.afterGuesses(from: admission.network(of: request, context), read)
            else {
                throw .tooOften(retryAfter: seconds)
            }
            return value
        } catch {
            if case .ledger = error { throw error }
            guard let seconds = admission.wait(for: .registrationRead, request, context) else { throw error }
            throw .tooOften(retryAfter: seconds)
        }
    }

    static func body(of request: Request) async throws(MessageCenterRefusal) -> [UInt8] {
        try await awaiting(await request.bytes(limit: bodyLimit), as: { (_: BodyFault) in MessageCenterRefusal.body })
    }
}
