import LightningCoding
package import ResponderCore
package import ResponderModel

/// What the operator may ask of accounts, domains, invoices, offers, events and the outbox.
package struct Administration: ServiceFeature {
    let responder: Responder
    let ledger: any Ledger
    let backends: [BackendName: any ReceiveBackend]
    let secrets: WebhookSecrets
    let settlement: SettlementOnCommand?
    let peers: PeerReporter?

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

    var directory: AccountDirectory { responder.accounts }
    var clock: WallClock { responder.clock }

    package func addAdminRoutes(to router: AdminRouter) {
        addAccounts(to: router)
        addDomains(to: router)
        addEvents(to: router)
        addInvoices(to: router)
        addOffers(to: router)
        addOutbox(to: router)
        addPeers(to: router)
    }
}
