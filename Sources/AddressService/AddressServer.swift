public import LightningCoding
public import Logging
public import Receiving
public import Responding
public import ServiceLifecycle
import CoreMetrics
import Hummingbird

/// The service: the listener for payers, the listener for the operator, and what runs beside them.
public struct AddressServer: Service {
    /// What it is made of.
    public struct Parts: Sendable {
        /// Answers payers.
        public var responder: Responder
        /// The nodes that receive the money.
        public var backends: [BackendName: any ReceiveBackend]
        /// Plays payers; nil when no backend can be settled by hand.
        public var settlement: SettlementOnCommand?
        /// Where accounts are notified.
        public var webhookSecrets: WebhookSecrets
        /// Takes notifications in; nil where nobody may send any.
        public var notifications: NotificationIntake?
        /// Takes in the keys of offers that another process has imported meanwhile.
        public var noticeImports: @Sendable () throws -> Void
        /// Lets the operator in.
        public var adminToken: AdminToken
        /// Tells what the ledger has written.
        public var ledgerActivity: @Sendable () -> LedgerActivity
        /// Our own Lightning peer; nil when there is none.
        public var peers: PeerWindow?

        /// Puts the parts together.
        public init(
            responder: Responder,
            backends: [BackendName: any ReceiveBackend],
            settlement: SettlementOnCommand?,
            webhookSecrets: WebhookSecrets,
            notifications: NotificationIntake? = nil,
            noticeImports: @escaping @Sendable () throws -> Void,
            adminToken: AdminToken,
            ledgerActivity: @escaping @Sendable () -> LedgerActivity,
            peers: PeerWindow? = nil
        ) {
            self.responder = responder
            self.backends = backends
            self.settlement = settlement
            self.webhookSecrets = webhookSecrets
            self.notifications = notifications
            self.noticeImports = noticeImports
            self.adminToken = adminToken
            self.ledgerActivity = ledgerActivity
            self.peers = peers
        }
    }

    /// One of the two doors, once it is open.
    public enum Door: Hashable, Sendable {
        /// Where payers are answered.
        case payers(ListenAddress)
        /// Where the operator is answered.
        case admin(ListenAddress)
    }

    private let parts: Parts
    private let settings: ServiceSettings
    private let logger: Logger
    private let clock: WallClock
    private let onOpen: @Sendable (Door) -> Void
    private let metrics: PrometheusMetrics
    private let desk: NotificationDesk
    private let admission: Admission
    private let watch: SettlementWatch

    /// Prepares the service; `run()` opens the doors and returns when it was told to stop and all requests in flight are
    /// answered.
    ///
    /// - Parameters:
    ///   - metrics: what the metrics page shows; others may count there too.
    ///   - onOpen: is told of each door when it is open.
    public init(
        _ parts: Parts,
        settings: ServiceSettings,
        logger: Logger,
        metrics: PrometheusMetrics = PrometheusMetrics(),
        clock: @escaping WallClock = { .now() },
        onOpen: @escaping @Sendable (Door) -> Void
    ) {
        self.parts = parts
        self.settings = settings
        self.logger = logger
        self.metrics = metrics
        self.clock = clock
        self.onOpen = onOpen
        desk = NotificationDesk(limits: settings.desk, metrics: metrics)
        admission = Admission(settings.rates, metrics: metrics)
        watch = SettlementWatch(parts.backends.keys)
    }

    /// Runs until told to stop.
    public func run() async throws {
        raiseDescriptorLimit()
        let settled = Counter(label: "responder_settlements_total", factory: metrics)
        let skipped = Counter(label: "responder_settlements_unreadable_total", factory: metrics)
        let followers = parts.backends.map { name, backend in
            BackgroundTask { [logger, watch, clock] in
                let (ledger, known) = (parts.responder.ledger, parts.responder.knownNodes)
                await SettlementFollower(of: name, backend, in: ledger, knownNodes: known, clock: clock) { event in
                    if let notice = watch.note(event) { logger.note(event, notice, counting: settled, skipped) }
                }.run()
            }
        }
        let services: [any Service] =
            followers + [
                LedgerWatch(
                    responder: parts.responder, noticeImports: parts.noticeImports, clock: clock, logger: logger
                ),
                ExpiryWatch(
                    removal: ExpiredInvoiceRemoval(
                        ledger: parts.responder.ledger, backends: parts.backends, grace: settings.keepExpired),
                    clock: clock, logger: logger
                ),
                // Those who come later are told to stop first: what was accepted is finished while nothing more comes in.
                desk, adminListener, listener,
            ]
        // Where one fails, such as a listener whose port is taken, the others end as if told to: cancelled they would say so.
        let group = ServiceGroupConfiguration(
            services: services.map { .init(service: $0, failureTerminationBehavior: .gracefullyShutdownGroup) },
            logger: logger)
        try await ServiceGroup(configuration: group).run()
    }

    private func raiseDescriptorLimit() {
        let wanted = settings.limits.descriptors
        guard let limit = DescriptorLimit.raise(to: wanted), limit < wanted else { return }
        logger.warning(
            "the system allows fewer connections than configured",
            metadata: [
                "connections": "\(settings.limits.connections)", "descriptors": "\(limit)", "needed": "\(wanted)",
            ]
        )
    }

    private var listener: Listener {
        Listener(
            address: settings.listen,
            limits: settings.limits,
            unreadable: PublicDoor.unreadable(counting: unreadable(at: "payers")),
            router: {
                PublicDoor.router(
                    responder: parts.responder, settings: settings, notifications: notificationRoutes,
                    admission: admission, backends: parts.backends, metrics: metrics
                )
            },
            logger: logger,
            onRunning: { onOpen(.payers($0)) }
        )
    }

    private var notificationRoutes: NotificationRoutes? {
        parts.notifications.map { notifications in
            NotificationRoutes(
                notifications, secrets: parts.webhookSecrets, accounts: parts.responder.accounts,
                admission: admission, desk: desk, metrics: metrics)
        }
    }

    private var adminListener: Listener {
        Listener(
            address: settings.adminListen,
            limits: settings.limits,
            unreadable: AdminDoor.unreadable(counting: unreadable(at: "admin")),
            router: { adminRouter },
            logger: logger,
            onRunning: { onOpen(.admin($0)) }
        )
    }

    private func unreadable(at door: String) -> Counter {
        Counter(label: "responder_unreadable_requests_total", dimensions: [("door", door)], factory: metrics)
    }

    var adminRouter: Router<ServiceContext> {
        let ledger = parts.responder.ledger
        let door = AdminDoor(token: parts.adminToken, metrics: metrics)
        AccountRoutes(
            ledger: ledger,
            editor: AccountEditor(
                ledger: ledger,
                publicURL: parts.responder.settings.publicURL,
                backends: parts.backends,
                clock: clock
            ),
            directory: parts.responder.accounts
        ).add(to: door)
        InvoiceRoutes(ledger: ledger, settlement: parts.settlement, clock: clock).add(to: door)
        OfferRoutes(
            responder: parts.responder, secrets: parts.webhookSecrets, peers: parts.peers, clock: clock
        ).add(to: door)
        PeerRoutes(peers: parts.peers).add(to: door)
        HealthRoutes(
            ledger: ledger, backends: parts.backends, knownNodes: parts.responder.knownNodes, watch: watch
        ).add(to: door)
        door.addOpen("/metrics") { [metrics, watch, ledgerActivity = parts.ledgerActivity] in
            for (name, isWorking) in watch.states {
                Meter(
                    label: "responder_settlements_followed", dimensions: [("backend", "\(name)")], factory: metrics
                ).set(isWorking ? 1 : 0)
            }
            return .text(
                metrics.page() + ledgerActivity().page, contentType: "text/plain; version=0.0.4; charset=utf-8")
        }
        return door.finished()
    }
}

extension Logger {
    fileprivate func note(
        _ event: SettlementFollower.Event, _ worth: SettlementWatch.Notice, counting settled: Counter,
        _ unreadable: Counter
    ) {
        switch event {
        case .settled(let invoice):
            settled.increment()
            info(
                "invoice settled",
                metadata: [
                    "account": "\(invoice.account)", "payment-hash": "\(invoice.paymentHash)",
                    "amount-msat": "\(invoice.amount.msat)", "backend": "\(invoice.backend)",
                ]
            )
        case .skipped(let name, let skipped):
            unreadable.increment()
            error(
                "a payment cannot be read and is left out",
                metadata: [
                    "backend": "\(name)", "payment-hash": "\(skipped.paymentHash.map { "\($0)" } ?? "unknown")",
                    "cause": "\(skipped.fault)",
                ]
            )
        case .interrupted(let name, let error):
            let cause = (error as? LedgerFault)?.reason ?? "\(error)"
            let times = if case .broken(let times) = worth { times } else { 1 }
            warning(
                "settlements interrupted",
                metadata: ["backend": "\(name)", "cause": "\(cause)", "times": "\(times)"])
        case .resumed(let name):
            notice("node answers again", metadata: ["backend": "\(name)"])
        }
    }
}
