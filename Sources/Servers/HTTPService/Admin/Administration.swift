import LightningCoding
package import ResponderCore
package import ResponderModel

/// What the operator may ask of accounts, domains, invoices, offers and events.
package struct Administration: ServiceFeature {
    private let responder: Responder
    private let ledger: any Ledger
    private let backends: [BackendName: any ReceiveBackend]
    private let secrets: WebhookSecrets
    private let settlement: SettlementOnCommand?
    private let peers: PeerReporter?

    /// - Parameters:
    ///   - responder: creates offers; its accounts are those of the service.
    ///   - secrets: derives the accounts' webhook secrets.
    ///   - settlement: simulates payments; nil when no node can be told that an invoice is paid.
    ///   - peers: our own Lightning peer; nil when there is none.
    package init(
        _ responder: Responder, ledger: any Ledger, backends: [BackendName: any ReceiveBackend],
        secrets: WebhookSecrets, settlement: SettlementOnCommand? = nil, peers: PeerReporter? = nil
    ) {
        self.responder = responder
        self.ledger = ledger
        self.backends = backends
        self.secrets = secrets
        self.settlement = settlement
        self.peers = peers
    }

    package func addRoutes(to router: PublicRouter) {}

    package func addAdminRoutes(to router: AdminRouter) {
        let (directory, clock) = (responder.accounts, router.clock)
        AccountRoutes(
            ledger: ledger, editor: AccountEditor(ledger: ledger, backends: backends, clock: clock),
            directory: directory, secrets: secrets
        ).add(to: router)
        DomainRoutes(
            ledger: ledger, editor: DomainEditor(ledger: ledger, backends: backends.keys), directory: directory
        ).add(to: router)
        EventRoutes(ledger: ledger, directory: directory).add(to: router)
        InvoiceRoutes(ledger: ledger, directory: directory, settlement: settlement, clock: clock).add(to: router)
        OfferRoutes(responder: responder, secrets: secrets, peers: peers, clock: clock).add(to: router)
        PeerRoutes(peers: peers).add(to: router)
    }
}
