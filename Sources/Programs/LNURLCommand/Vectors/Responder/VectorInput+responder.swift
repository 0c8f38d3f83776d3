import Bolt12
import LNURL
import LightningCoding
import LightningCrypto
import ResponderCore
import ResponderModel

extension VectorInput {
    /// The notification reader of a case.
    func notificationReader() throws(InputFault) -> NotificationReader {
        var names = EnvelopeNames()
        if has("names") {
            let given = try member("names")
            for member in given.object.members {
                guard let name = member.value.string else { throw fault("names") }
                switch member.key {
                case "template": names.template = name
                case "event": names.event = name
                case "data": names.data = name
                case "notification_type": names.type = name
                case "notification_payload": names.payload = name
                case "app_data": names.appData = name
                case "body": names.body = name
                default: throw fault("names")
                }
            }
        }
        guard has("key") else { return NotificationReader(names: names) }
        let bytes = try bytes("key")
        guard let key = try? SecretKey(bytes) else { throw fault("key") }
        return NotificationReader(names: names, key: PayloadKey(key, purpose: try text("purpose")))
    }

    /// The domain of all cases' accounts.
    static func domain() throws(InputFault) -> Domain {
        guard let url = try? PublicURL("https://pay.example.com") else { throw InputFault(member: "account") }
        return Domain(publicURL: url, isMain: true)
    }

    /// The account that a member of the case names.
    func account(named member: String) throws(InputFault) -> AccountID {
        let domain = try Self.domain().name
        return try parsed(member) { AccountID(try AddressName($0), at: domain) }
    }

    /// The account of a case, with the history of its texts.
    func account() throws(InputFault) -> VectorLedger.State {
        let given = try member("account")
        var settings = AccountSettings(description: "", backend: .embedded)
        settings.commentAllowed = Int(clamping: try given.unsigned("commentAllowed"))
        settings.minSendable = try given.optionalUnsigned("minSendable").map { Millisatoshi($0) }
        settings.maxSendable = try given.optionalUnsigned("maxSendable").map { Millisatoshi($0) }
        settings.invoiceExpiry = try given.unsigned("invoiceExpiry")
        var versions: [(text: String, since: UnixTime)] = []
        for entry in try given.array("metadata") {
            guard let text = entry["text"]?.string, let since = entry["since"]?.uint64 else {
                throw fault("metadata")
            }
            versions.append((text, UnixTime(since)))
        }
        guard let first = versions.first, let last = versions.last else { throw fault("metadata") }
        return VectorLedger.State(
            account: Account(
                name: try given.parsed("name") { try AddressName($0) }, domain: try Self.domain(),
                version: UInt64(versions.count),
                metadata: last.text, settings: settings, createdAt: first.since),
            versions: versions
        )
    }

    /// The node of a case.
    func node(at now: UnixTime) throws(InputFault) -> VectorNode {
        let given = try member("node")
        let minimum = Millisatoshi(try given.unsigned("minimum"))
        let maximum = Millisatoshi(try given.unsigned("maximum"))
        guard let limits = ReceiveLimits(minimum: minimum, maximum: maximum) else { throw fault("minimum") }
        return VectorNode(
            VectorNode.Terms(
                key: try given.parsed("key") { try SecretKey(Hexadecimal.decode($0)) },
                network: try given.parsed("network") { Network(rawValue: $0) },
                limits: limits,
                precision: try given.flag("wholeSatoshis") ? .wholeSatoshi : .millisatoshi,
                fault: given.has("fault") ? try given.parsed("fault") { Self.faults[$0] } : nil,
                now: now,
                seed: try given.bytes("seed")
            )
        )
    }

    private static let faults: [String: BackendFault] = [
        "unreachable": .unreachable(""), "timed-out": .timedOut, "refused": .refused(""),
        "nothing-receivable": .nothingReceivable, "malformed-answer": .malformedAnswer(""), "storage": .storage(""),
    ]

    /// The issuer of a case's offer, which is added to its ledger.
    func offers(into state: inout VectorLedger.State) throws(InputFault) -> OfferIssuer? {
        guard has("offer") else { return nil }
        let offer = try parsed("offer") { try Offer($0) }
        state.offers[offer.id] = IssuedOffer(
            offer: offer, account: state.account.id, origin: .imported, createdAt: state.account.createdAt)
        let key = try? SecretKey([UInt8](repeating: 0x41, count: 32))
        let seed = try? OfferSeed(SecretBytes([UInt8](repeating: 0x07, count: 32)))
        guard let key, let seed else { throw fault("offer") }
        return OfferIssuer(seed: seed, nodeKey: key, importedKeys: ImportedKeys([offer.id: key]))
    }

    /// The invoices in the ledger before a case.
    func invoices(_ name: String) throws(InputFault) -> [IssuedInvoice] {
        var invoices: [IssuedInvoice] = []
        for given in try elements(name) {
            let preimage = try given.parsed("preimage") { try Preimage(hexadecimal: $0) }
            let settledAt = try given.optionalUnsigned("settledAt").map { UnixTime($0) }
            let amount = Millisatoshi(try given.unsigned("amount"))
            invoices.append(
                IssuedInvoice(
                    paymentHash: preimage.paymentHash,
                    account: try given.account(named: "account"),
                    backend: .embedded,
                    label: "",
                    bolt11: try given.text("pr"),
                    amount: amount,
                    createdAt: UnixTime(0),
                    expiresAt: UnixTime(try given.unsigned("expiresAt")),
                    origin: .lnurl(.init(metadataVersion: 1)),
                    settlement: settledAt.map {
                        RecordedSettlement(settledAt: $0, received: amount, preimage: preimage)
                    }
                )
            )
        }
        return invoices
    }
}
