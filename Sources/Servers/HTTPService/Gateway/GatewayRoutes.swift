import CoreMetrics
import HTTPTypes
import Hummingbird
import HummingbirdCore
import LNURL
import LightningCoding
import Logging
import NIOCore
import Platform
package import Registrations
package import ResponderCore
import ResponderModel

extension Gateway: ServiceFeature {
    package func addRoutes(to router: PublicRouter) { GatewayRoutes(self, router).add(to: router.router) }

    package var upkeep: [UpkeepTask] { [.removingRegistrations(ledger, retention)] }

    package var descriptors: Int { WebhookPoster.maximumInFlight }
}

struct GatewayRoutes: Sendable {
    private let gateway: Gateway
    private let admission: Admission
    private let hosts: HostSelection
    private let ledgerTime: Duration
    private let replies: DeviceReplies
    private let breez: BreezRegistrations
    private let registering: RouteInstruments
    private let replying: RouteInstruments
    private let lines = RepeatedLines<String>()

    /// The largest body of a wallet's request, in bytes.
    static let bodyLimit = 16_384
    /// The digits of a wallet's key.
    private static let keyCount = 66

    init(_ gateway: Gateway, _ router: PublicRouter) {
        self.gateway = gateway
        admission = router.admission
        hosts = router.hosts
        ledgerTime = router.settings.ledgerTime
        replies = DeviceReplies(gateway.channel.replies, admission: router.admission, metrics: router.metrics)
        breez = BreezRegistrations(gateway, clock: router.clock)
        registering = RouteInstruments(template: "/lnurlpay/{key}", metrics: router.metrics)
        replying = RouteInstruments(template: "/response/{id}", metrics: router.metrics)
    }

    func add(to router: Router<ServiceContext>) {
        let operations: [(path: String, post: BreezOperation, delete: BreezOperation?)] = [
            ("/lnurlpay/:name", .register, .unregister), ("/lnurlpay/:name/recover", .recover, nil),
            ("/bolt12offer/:name", .registerOffer, .unregisterOffer),
            ("/bolt12offer/:name/recover", .recoverOffer, nil),
        ]
        for (path, post, delete) in operations {
            for (method, operation) in [(HTTPRequest.Method.post, post), (.delete, delete)] {
                router.on(RouterPath(path), method: method) { request, context in
                    await WaitingTime.$current.withValue(WaitingTime(ledgerTime)) {
                        await answer(operation, request, context)
                    }
                }
            }
        }
        router.post("/response/:id") { request, context in
            await WaitingTime.$current.withValue(WaitingTime(ledgerTime)) { await reply(request, context) }
        }
    }

    /// Takes the reply of a device: 200, 400 without an id, or 500 when nobody waits for it, as at breez-lnurl.
    private func reply(_ request: Request, _ context: ServiceContext) async -> Response {
        await replying.observe(context.logger) {
            guard let id = context.parameters.get("id").flatMap({ ReplyID($0) }) else {
                return .init(.text("invalid response", 400))
            }
            do throws(BodyFault) {
                let outcome = try await replies.take(id, request, context) { network throws(BodyFault) in
                    DeviceReply(
                        try await request.bytes(limit: ReplyInspection.maximumCount, from: network),
                        maxAge: request.headers[.cacheControl].flatMap(Self.maxAge))
                }
                switch outcome {
                case .taken: return .init(.done)
                case .tooOften(let seconds):
                    return .init(.text("too many replies", 429, retryAfter: seconds))
                case .unknown, .malformed: return .init(.text("unknown request id", 500))
                }
            } catch .tooLarge {
                return .init(.text("reply too large", 413))
            } catch .crowded {
                return .init(.text("too many replies", 503))
            } catch {
                return .init(.text("incomplete reply", 400))
            }
        }
    }

    /// Answers a wallet.
    ///
    /// - Parameter operation: nil for a method that asks for nothing at that path.
    private func answer(
        _ operation: BreezOperation?, _ request: Request, _ context: ServiceContext
    ) async -> Response {
        let isChange = operation?.isChange ?? false
        return await registering.observe(context.logger) {
            guard let key = context.parameters.get("name"), key.utf8.count == Self.keyCount else {
                return .init(fault: .unknownPath)
            }
            if let seconds = admission.wait(for: .registrationRead, request, context)
                ?? (isChange ? admission.wait(for: .registration, request, context) : nil)
            {
                return .init(.text("too many requests", 429, retryAfter: seconds))
            }
            // What is refused changes nothing, and wallets that only renew what they have may be many behind one address.
            var changes = false
            defer { if isChange, !changes { admission.putBack(.registration, request, context) } }
            do throws(HostFault) {
                let reached = try await hosts.domain(of: request, context)
                let answer = await answer(operation, by: key, request, reached)
                changes = answer.changes
                if let cause = answer.cause {
                    lines.note(reached.domain.name.text + " " + cause.withoutDigits) {
                        [logger = context.logger] times in
                        let metadata: Logger.Metadata = ["domain": "\(reached.domain.name)", "cause": .string(cause)]
                        logger.info("registration refused", metadata: metadata.repeated(times))
                    }
                }
                return .init(answer)
            } catch .ledger(let fault) {
                return .init(.failed(fault))
            } catch {
                return .init(.empty(404))
            }
        }
    }

    private func answer(
        _ operation: BreezOperation?, by key: String, _ request: Request, _ reached: ReachedDomain
    ) async -> RegistrationAnswer {
        guard let operation else { return .empty(405) }
        let body = try? await request.json(limit: Self.bodyLimit)
        return await breez.answer(operation, by: key, body, at: reached.domain)
    }

    /// The first `max-age` in a `Cache-Control`.
    private static func maxAge(_ value: String) -> UInt64? {
        for part in value.utf8.split(separator: UInt8(ascii: ",")) {
            let text = String(decoding: part.trimmed, as: UTF8.self)
            if text.begins(with: "max-age=") { return UInt64(digits: text.dropFirst("max-age=".count)) }
        }
        return nil
    }
}

extension RouteInstruments.Observed {
    /// Why a statement was refused is no failure of ours.
    fileprivate init(_ answer: RegistrationAnswer) {
        // Wallets run in browsers too, and every change is signed.
        var headers: HTTPFields = [.accessControlAllowOrigin: "*"]
        var body = ResponseBody()
        if let content = answer.content {
            headers[.contentType] = content.type
            headers[.cacheControl] = "no-store, private"
            if answer.status != 200, let name = HTTPField.Name("X-Content-Type-Options") {
                headers[name] = "nosniff"
            }
            body = ResponseBody(byteBuffer: ByteBuffer(bytes: content.bytes))
        }
        if let seconds = answer.retryAfter { headers[.retryAfter] = String(seconds) }
        let response = Response(status: .init(code: answer.status), headers: headers, body: body)
        if let fault = answer.fault {
            self.init(response, .failed, cause: fault.reason)
        } else {
            self.init(response, answer.status == 200 ? .answered : .refused)
        }
    }
}
