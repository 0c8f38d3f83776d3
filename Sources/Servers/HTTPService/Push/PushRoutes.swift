package import Devices
import HTTPTypes
import Hummingbird
import HummingbirdCore
import LightningCoding
import Registrations
package import ResponderCore
import ResponderModel

extension PushDelivery: ServiceFeature {
    package func addRoutes(to router: PublicRouter) {
        PushRoutes(self, router).add(to: router)
    }

    package var outboxHandlers: [any OutboxHandler] { [self] }
}

/// The routes of a notification delivery service: `POST /api/v1/notify`, and `POST /api/v1/response/{id}` for devices.
///
/// Paths, statuses and bodies are those of breez/notify, except that the sender learns when no push is sent: 410 for a device
/// that has gone, 413 for what no provider takes, 503 for every other cause.
struct PushRoutes: Sendable {
    private let delivery: PushDelivery
    private let admission: Admission
    private let replies: DeviceReplies

    /// The longest body that is read, in bytes: an invoice request in hexadecimal and its offer.
    private static let bodyLimit = 1 << 18
    /// The longest reply that is read, in bytes.
    private static let replyLimit = 1 << 16

    init(_ delivery: PushDelivery, _ router: PublicRouter) {
        self.delivery = delivery
        admission = router.admission
        replies = DeviceReplies(delivery.replies, admission: router.admission, metrics: router.metrics)
    }

    func add(to router: PublicRouter) {
        let notifying = RouteInstruments(template: Gateway.pushPath, metrics: router.metrics)
        router.router.post(RouterPath(Gateway.pushPath)) { request, context in
            await notifying.observe(context.logger) { await notified(request, context) }
        }
        let replyPath = PushDelivery.replyPath + "/{id}"
        let replying = RouteInstruments(template: replyPath, metrics: router.metrics)
        router.router.post(RouterPath(replyPath)) { request, context in
            await replying.observe(context.logger) { await replied(request, context) }
        }
    }

    private func notified(_ request: Request, _ context: ServiceContext) async -> RouteInstruments.Observed {
        if let seconds = admission.wait(for: .notification, request, context) { return .tooOften(seconds) }
        let network = admission.network(of: request, context)
        let notification: NotifyRequest
        do {
            let body = try await request.bytes(limit: Self.bodyLimit, from: network)
            notification = try NotifyRequest(query: try request.uri.items(), body: body)
        } catch BodyFault.tooLarge {
            return .init(Response(status: .contentTooLarge), .refused)
        } catch BodyFault.crowded {
            return .init(Response(status: .serviceUnavailable), .refused)
        } catch {
            return .init(Response(status: .badRequest), .refused)
        }
        return RouteInstruments.Observed(
            await delivery.answer(notification, from: network, over: context.payer ?? PayerConnection()))
    }

    private func replied(_ request: Request, _ context: ServiceContext) async -> RouteInstruments.Observed {
        guard let id = context.parameters.get("id").flatMap({ ReplyID($0) }) else {
            return .init(Response(status: .badRequest), .refused)
        }
        do throws(BodyFault) {
            let outcome = try await replies.take(id, request, context) { network throws(BodyFault) in
                let body = try await request.bytes(limit: Self.replyLimit, from: network)
                return (try? JSONValue(parsing: body))?.object == nil ? nil : DeviceReply(body)
            }
            switch outcome {
            case .taken: return .init(Response(status: .ok))
            case .tooOften(let seconds): return .tooOften(seconds)
            case .unknown: return .init(Response(status: .internalServerError), .refused)
            case .malformed: return .init(Response(status: .badRequest), .refused)
            }
        } catch {
            return .init(Response(status: error == .crowded ? .serviceUnavailable : .badRequest), .refused)
        }
    }
}

extension RouteInstruments.Observed {
    fileprivate static func tooOften(_ seconds: UInt64) -> RouteInstruments.Observed {
        var response = Response(status: .tooManyRequests)
        response.headers[.retryAfter] = String(seconds)
        return .init(response, .refused)
    }

    fileprivate init(_ answer: PushAnswer) {
        let (status, body) = answer.response
        var response =
            body.isEmpty
            ? Response(status: .init(code: status)) : .bytes(body, headers: [.contentType: "application/json"])
        switch answer {
        case .taken, .replied: self.init(response)
        case .gone, .invalid, .tooLarge, .notAnswered, .silent: self.init(response, .refused)
        case .tooMany:
            response.headers[.retryAfter] = "60"
            self.init(response, .refused)
        case .failed(let reason): self.init(response, .failed, cause: reason)
        }
    }
}
