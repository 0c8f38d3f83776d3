import Contracts
import CoreMetrics
import HTTPTypes
import Hummingbird
import HummingbirdCore
import LightningCoding
import Logging
import Registrations
import ResponderCore

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
            // Whoever has guessed too often is not heard: an id is looked for in the ledger too.
            if let seconds = admission.delay(of: .unknownReply, request, context) {
                return .init(.text("too many replies", .tooManyRequests, retryAfter: seconds))
            }
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
            _ = admission.wait(for: .unknownReply, request, context)
            return .init(.text("unknown request id", .internalServerError))
        }
    }

    /// Answers a wallet.
    func answer(
        _ path: RegistrationPath, _ request: Request, _ context: ServiceContext,
        reached: () async throws(LedgerFault) -> ReachedDomain?
    ) async -> Response {
        await registering.observe(context.logger) {
            if let seconds = admission.wait(for: .registrationRead, request, context)
                ?? (path.isChange ? admission.wait(for: .registration, request, context) : nil)
            {
                return .init(await tooMany(path, request, retryAfter: seconds))
            }
            // What is refused changes nothing, and wallets that only renew what they have may be many behind one address.
            var changes = false
            defer { if path.isChange, !changes { admission.putBack(.registration, request, context) } }
            do throws(LedgerFault) {
                guard let reached = try await reached() else { return .init(.empty(.notFound)) }
                let answer = await answer(path, request, reached)
                changes = answer.changes
                if let cause = answer.cause, answer.outcome == .refused {
                    context.logger.info(
                        "registration refused", metadata: ["domain": "\(reached.domain.name)", "cause": .string(cause)])
                }
                return .init(answer)
            } catch {
                return .init(.failed(error))
            }
        }
    }

    /// What a wallet is told that must wait, in the words of the server that it was written for.
    private func tooMany(
        _ path: RegistrationPath, _ request: Request, retryAfter seconds: UInt64
    ) async -> RegistrationAnswer {
        var isSpark = path.isSpark
        if !isSpark, let body = try? await request.json(limit: Self.bodyLimit) { isSpark = body["timestamp"] != nil }
        let (text, status) = ("too many requests", HTTPResponse.Status.tooManyRequests)
        return isSpark ? .string(text, status, retryAfter: seconds) : .text(text, status, retryAfter: seconds)
    }

    private func answer(
        _ path: RegistrationPath, _ request: Request, _ reached: ReachedDomain
    ) async -> RegistrationAnswer {
        switch (request.method, path) {
        case (.get, .availableName(let name)): return await spark.availability(of: name, at: reached)
        case (.get, .metadata(let key)):
            return await spark.answer(.metadata, by: key, SparkRequest.members(of: request), at: reached)
        default: break
        }
        // What cannot be read gets the answer of breez-lnurl, whose wallets are older.
        let body = try? await request.json(limit: Self.bodyLimit)
        let isSpark = body?["timestamp"] != nil
        func both(
            _ breezOperation: BreezOperation, _ sparkOperation: SparkRoutes.Operation, _ key: String
        ) async -> RegistrationAnswer {
            if let body, isSpark { return await spark.answer(sparkOperation, by: key, body, at: reached) }
            return await breez.answer(breezOperation, by: key, body, at: reached.domain)
        }
        switch (request.method, path) {
        case (.post, .key(let key)): return await both(.register, .register, key)
        case (.delete, .key(let key)): return await both(.unregister, .unregister, key)
        case (.post, .recover(let key)): return await both(.recover, .recover, key)
        case (.post, .available(let key)): return await spark.answer(.available, by: key, body ?? .null, at: reached)
        case (.post, .transfer(let key)): return await spark.answer(.transfer, by: key, body ?? .null, at: reached)
        case (.post, .offer(let key)): return await breez.answer(.registerOffer, by: key, body, at: reached.domain)
        case (.delete, .offer(let key)): return await breez.answer(.unregisterOffer, by: key, body, at: reached.domain)
        case (.post, .recoverOffer(let key)):
            return await breez.answer(.recoverOffer, by: key, body, at: reached.domain)
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
