import LedgerRecords
import Waiting
import CoreMetrics
import EmbeddedNode
import HTTPTypes
import Hummingbird
import LNURL
import LedgerContract
import LightningCoding
import LightningCrypto
import Logging
import NIOCore
import NIOEmbedded
import Platform
import Registrations
import ResponderCore
import ResponderModel
import SQLiteLedger
import TemporaryFolders
@testable import HTTPService

/// A service without sockets: the production routes over a real ledger and the embedded node.
struct TestService {
    static let token = "0123456789abcdef0123456789abcdef"

    let folder: TemporaryFolder
    let clock = TestClock()
    let ledger: LedgerDatabase
    /// The main domain.
    let domain: Domain
    let node: EmbeddedBackend
    let offers: OfferIssuer
    let importedKeys = ImportedKeys()
    let secrets = WebhookSecrets(key: SecretBytes([UInt8](repeating: 9, count: 32)))
    let responder: Responder
    let instance: ServiceInstance
    let parts: AddressServer.Parts
    let settings: ServiceSettings
    let metrics = PrometheusMetrics()
    let replies = AwaitedReplies()
    /// Those of all who wait.
    let slots = SharedSlots(ServiceLimits().waiting)
    let admission: Admission
    let queue: NotificationQueue
    let sender: ReplySender
    let time: Duration
    let monotonic: MonotonicClock

    /// A service with the account alice.
    ///
    /// - Parameters:
    ///   - openInvoices: how many invoices an account may have open.
    ///   - time: how long a notification is valid.
    ///   - folder: its data folder, new or from an earlier service.
    ///   - monotonic: the clock that measures it.
    ///   - instance: the number of the instance.
    ///   - terms: how long it holds a lease.
    ///   - hasAlice: whether there is that account.
    ///   - isOpen: whether it has told where it listens.
    init(
        _ changes: (inout AccountSettings) -> Void = { _ in },
        infoMaxAge: UInt64 = 60,
        rates: ServiceRates = ServiceRates(),
        openInvoices: UInt64? = nil,
        queue: NotificationQueueLimits = NotificationQueueLimits(),
        time: Duration = .seconds(20),
        folder: TemporaryFolder = TemporaryFolder(),
        monotonic: MonotonicClock = .system,
        instance number: UInt8 = 1,
        terms: LeaseTerms = .alone,
        hasAlice: Bool = true,
        isOpen: Bool = true
    ) async throws {
        let clock = clock
        self.folder = folder
        ledger = try await LedgerDatabase.open(at: folder.path + "/ledger.sqlite")
        instance = ServiceInstance(try Sample.instance(number), on: ledger, terms: terms)
        try await instance.register()
        let address = ListenAddress(host: "127.0.0.1", port: 1)
        if isOpen { await instance.listens(payers: address, admin: address) }
        domain = try await ledger.putMainDomain(at: HTTPURL("https://example.com"))
        node = try await EmbeddedBackend(
            EmbeddedConfiguration(databasePath: folder.path + "/node.sqlite"),
            key: SecretKey([UInt8](repeating: 2, count: 32)),
            clock: { clock.now }
        )
        offers = OfferIssuer(
            seed: try OfferSeed(SecretBytes([UInt8](repeating: 5, count: 32))),
            nodeKey: try SecretKey([UInt8](repeating: 6, count: 32)),
            importedKeys: importedKeys
        )
        responder = Responder(
            ledger: ledger,
            backends: [.embedded: node],
            settings: ResponderSettings(
                challengeKey: SecretBytes([UInt8](repeating: 7, count: 32)), maximumOpenInvoices: openInvoices
            ),
            offers: offers,
            clock: { clock.now }
        )
        settings = ServiceSettings(
            listen: ListenAddress(host: "127.0.0.1", port: 0),
            adminListen: ListenAddress(host: "127.0.0.1", port: 0),
            infoMaxAge: infoMaxAge,
            rates: rates
        )
        self.time = time
        self.monotonic = monotonic
        admission = Admission(rates, metrics: metrics, clock: ManualClock().clock)
        self.queue = NotificationQueue(limits: queue, report: NotificationObserver(metrics: metrics).note)
        sender = try ReplySender(ReplySender.Settings(policy: ReplyPolicy(allowsLoopback: true)))
        parts = AddressServer.Parts(
            responder: responder, backends: [.embedded: node], instance: instance, ledger: ledger,
            ledgerClock: LedgerClock(of: ledger), adminToken: BearerToken(Self.token.utf8), slots: slots, features: []
        )
        BackgroundObserver(
            of: [.embedded], metrics: metrics, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ).observe(ledger)
        guard hasAlice else { return }
        var alice = AccountSettings(description: "Pay Alice", backend: .embedded)
        changes(&alice)
        try await put("alice", alice)
    }

    @discardableResult
    func put(_ name: String, _ settings: AccountSettings) async throws -> Account {
        let editor = AccountEditor(
            ledger: ledger,
            backends: [.embedded: node],
            clock: { clock.now }
        )
        return try await editor.put(AccountID(AddressName(name), at: domain.name), settings)
    }

    /// The same ledger, which can be read but not written. It knows the node.
    func unwritableLedger() async throws -> any Ledger {
        try await ledger.bind(.embedded, to: node.publicKey)
        return try await LedgerDatabase.openReadOnly(at: folder.path + "/ledger.sqlite")
    }

    /// Settles an invoice and records it, like the follower.
    func settle(_ hash: PaymentHash) async throws {
        _ = try await ledger.record(node.settle(hash, at: clock.now), from: .embedded)
    }

    /// The routes for payers and forwarders, with this responder or another.
    func publicRouter(
        _ responder: Responder, handlers: [NotificationType: NotificationHandler] = [:], isWebhookOpen: Bool = false
    ) -> CallbackResponder<ServiceContext> {
        router(
            Payers(responder),
            notifications(responder, handlers: handlers, isOpen: isWebhookOpen),
            accounts: responder.accounts)
    }

    /// The public routes of features.
    func router(
        _ features: any ServiceFeature..., admission: Admission? = nil, accounts: AccountDirectory? = nil,
        settings: ServiceSettings? = nil
    ) -> CallbackResponder<ServiceContext> {
        let (clock, settings) = (clock, settings ?? self.settings)
        let router = PublicRouter(
            hosts: HostSelection(accounts: accounts ?? responder.accounts, trustedProxies: []), settings: settings,
            limits: settings.limits, admission: admission ?? self.admission, metrics: metrics,
            clock: { clock.now }, monotonic: monotonic, isStopping: { false })
        for feature in features { feature.addRoutes(to: router) }
        return router.finished()
    }

    /// Notifications with the queue of the service, and replies to loopback.
    func notifications(
        _ directory: Responder, handlers: [NotificationType: NotificationHandler] = [:], isOpen: Bool = false,
        logger: Logger = Logger(label: "test")
    ) -> Notifications {
        Notifications(
            NotificationProcessor(
                NotificationResponder(directory, handlers: handlers, clock: monotonic), sender: sender,
                ledger: ledger, clock: monotonic),
            reader: NotificationReader(), secrets: secrets, isOpen: isOpen, instance: instance.id, time: time,
            queue: queue, clock: monotonic, wallClock: { [clock] in clock.now }, metrics: metrics, logger: logger)
    }

    /// What the operator may ask, of this responder or another, and of these nodes.
    func administration(
        _ responder: Responder? = nil, backends: [BackendName: any ReceiveBackend]? = nil, peers: PeerReporter? = nil
    ) -> Administration {
        let (clock, node) = (clock, node)
        return Administration(
            responder ?? self.responder, ledger: ledger, backends: backends ?? parts.backends, secrets: secrets,
            settlement: SettlementOnCommand(backend: .embedded) { invoice throws(SettlementFault) in
                try await node.settle(invoice.paymentHash, at: clock.now)
            }, peers: peers)
    }

    /// A responder for another node.
    func responder(
        in front: (any ReceiveBackend)? = nil, on ledger: (any ResponderLedger)? = nil
    ) async throws -> Responder {
        Responder(
            ledger: ledger ?? self.ledger, backends: front.map { [.embedded: $0] } ?? parts.backends,
            settings: responder.settings, offers: offers,
            clock: { [clock] in clock.now }, ageClock: clock.ageClock
        )
    }

    /// Sends a public request.
    func ask(
        _ target: String,
        method: HTTPRequest.Method = .get,
        headers: HTTPFields = [:],
        body: String = "",
        host: String? = "example.com"
    ) async throws -> Answer {
        try await Answer(publicRouter(responder), target, method, headers, body, host: host)
    }

    /// Sends an admin request.
    func administer(
        _ target: String,
        method: HTTPRequest.Method = .get,
        token: String? = token,
        body: String = "",
        parts: AddressServer.Parts? = nil,
        of features: any ServiceFeature...
    ) async throws -> Answer {
        var parts = parts ?? self.parts
        parts.features = features.isEmpty ? [administration()] : features
        let server = AddressServer(
            parts, settings: settings, logger: Logger(label: "test"), clock: { [clock] in clock.now },
            onOpen: { _ in }
        )
        var headers = HTTPFields()
        if let token { headers[.authorization] = "Bearer \(token)" }
        return try await Answer(server.adminRouter.buildResponder(), target, method, headers, body)
    }

    /// The response to a request for an invoice of alice.
    func invoice(_ query: String = "amount=21000") async throws -> JSONValue {
        try await ask("/lnurlpay/alice/invoice?\(query)").json()
    }
}

/// A clock controlled by the test.
final class TestClock: Sendable {
    private let time = Guarded(UnixTime(1_763_000_000))

    var now: UnixTime { time.withLock { $0 } }

    /// The same time as a monotonic clock.
    var ageClock: MonotonicClock {
        MonotonicClock(
            now: { [time] in MonotonicTime(sinceStart: .seconds(Int64(clamping: time.withLock { $0.seconds }))) },
            sleep: { _ in })
    }

    func advance(seconds: UInt64) {
        time.withLock { $0 = $0.adding(seconds: seconds) }
    }
}

/// The response.
struct Answer {
    let status: Int
    let headers: HTTPFields
    let body: String

    init(
        _ responder: some HTTPResponder<ServiceContext>,
        _ target: String,
        _ method: HTTPRequest.Method,
        _ headers: HTTPFields,
        _ body: String,
        host: String? = "example.com",
        from peer: String? = nil,
        logger: Logger = Logger(label: "test")
    ) async throws {
        let head = HTTPRequest(method: method, scheme: "http", authority: host, path: target, headerFields: headers)
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body)))
        let channel = NIOAsyncTestingChannel()
        channel.remoteAddress = try peer.map { try SocketAddress(ipAddress: $0, port: 1) }
        let source = ApplicationRequestContextSource(channel: channel, logger: logger)
        let response = try await responder.respond(to: request, context: ServiceContext(source: source))
        status = response.status.code
        self.headers = response.headers
        let collected = Guarded(ByteBuffer())
        try await response.body.write(CollectedBody(collected: collected))
        self.body = String(buffer: collected.withLock { $0 })
    }

    func json() throws -> JSONValue { try JSONValue(parsing: body) }

    /// The reason of an ERROR; nil for any other response.
    var reason: String? { (try? json()).flatMap { ErrorResponse(json: $0) }?.reason }
}

private struct CollectedBody: ResponseBodyWriter {
    let collected: Guarded<ByteBuffer>

    mutating func write(_ buffer: ByteBuffer) async throws {
        collected.withLock { _ = $0.writeImmutableBuffer(buffer) }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
