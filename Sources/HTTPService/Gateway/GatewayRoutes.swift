import Contracts
import CoreMetrics
import HTTPTypes
import Hummingbird
import HummingbirdCore
import LightningCoding
import Logging
import Registrations

/// The routes of app users' wallets and devices.
///
/// Wallets of breez-lnurl say `time`, those of Spark `timestamp`: on paths that both know, that tells them apart.
struct GatewayRoutes: Sendable {
    let gateway: Gateway
    private let admission: Admission
    private let breez: BreezRoutes
    private let spark: SparkRoutes
    private let registering: RouteInstruments
    private let replying: RouteInstruments

    /// The largest body of a wallet's request, in bytes.
    static let bodyLimit = 16_384

    init(_ gateway: Gateway, admission: Admission, clock: @escaping WallClock, metrics: any MetricsFactory) {
        self.gateway = gateway
        self.admission = admission
        breez = BreezRoutes(gateway: gateway, clock: clock)
        spark = SparkRoutes(gateway: gateway, clock: clock)
        registering = RouteInstruments(template: "/lnurlpay/{key}", metrics: metrics)
        replying = RouteInstruments(template: "/response/{id}", metrics: metrics)
    }

    /// Takes the reply of a device: 200, 400 without an id, or 500 when nobody waits for it, as at breez-lnurl.
    func reply(to segment: String, _ request: Request, _ context: ServiceContext) async -> Response {
        await replying.observe(context.logger) {
            guard let id = ReplyID(segment) else { return .init(.text("invalid response", .badRequest)) }
            let body: [UInt8]
            do throws(BodyFault) {
                body = try await request.bytes(limit: ReplyInspection.maximumCount)
            } catch .tooLarge {
                return .init(.text("reply too large", .contentTooLarge))
            } catch {
                return .init(.text("incomplete reply", .badRequest))
            }
            let reply = DeviceReply(body, maxAge: request.headers[.cacheControl].flatMap(Self.maxAge))
            if await gateway.channel.receive(reply, for: id) { return .init(.empty(.ok, .answered)) }
            // Ids are guessed at most as often as wallets register.
            if let seconds = admission.wait(for: .unknownReply, request, context) {
                return .init(.text("too many replies", .tooManyRequests, retryAfter: seconds))
            }
            return .init(.text("unknown request id", .internalServerError))
        }
    }

    /// Answers a wallet.
    func answer(
        _ path: RegistrationPath, _ request: Request, _ context: ServiceContext,
        domain: () async throws(LedgerFault) -> Domain?
    ) async -> Response {
        await registering.observe(context.logger) {
            if let seconds = admission.wait(for: .registration, request, context) {
                return .init(.text("too many requests", .tooManyRequests, retryAfter: seconds))
            }
            do throws(LedgerFault) {
                guard let domain = try await domain() else { return .init(.empty(.notFound)) }
                let answer = await answer(path, request, domain)
                if let cause = answer.cause, answer.outcome == .refused {
                    context.logger.info(
                        "registration refused", metadata: ["domain": "\(domain.name)", "cause": .string(cause)])
                }
                return .init(answer)
            } catch {
                return .init(.failed(error))
            }
        }
    }

    private func answer(
        _ path: RegistrationPath, _ request: Request, _ domain: Domain
    ) async -> RegistrationAnswer {
        if case .availableName(let name) = path, request.method == .get {
            return await spark.availability(of: name, at: domain)
        }
        // What cannot be read gets the answer of breez-lnurl, whose wallets are older.
        let body = try? await request.json(limit: Self.bodyLimit)
        let isSpark = body?["timestamp"] != nil
        func both(
            _ breezOperation: BreezOperation, _ sparkOperation: SparkRoutes.Operation, _ key: String
        ) async -> RegistrationAnswer {
            if let body, isSpark { return await spark.answer(sparkOperation, by: key, body, at: domain) }
            return await breez.answer(breezOperation, by: key, body, at: domain)
        }
        switch (request.method, path) {
        case (.post, .key(let key)): return await both(.register, .register, key)
        case (.delete, .key(let key)): return await both(.unregister, .unregister, key)
        case (.post, .recover(let key)): return await both(.recover, .recover, key)
        case (.post, .available(let key)): return await spark.answer(.available, by: key, body ?? .null, at: domain)
        case (.post, .transfer(let key)): return await spark.answer(.transfer, by: key, body ?? .null, at: domain)
        case (.post, .offer(let key)): return await breez.answer(.registerOffer, by: key, body, at: domain)
        case (.delete, .offer(let key)): return await breez.answer(.unregisterOffer, by: key, body, at: domain)
        case (.post, .recoverOffer(let key)): return await breez.answer(.recoverOffer, by: key, body, at: domain)
        default: return .empty(.methodNotAllowed)
        }
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
        self.init(answer.response, answer.outcome, cause: answer.outcome == .failed ? answer.cause : nil)
    }
}
