import ArgumentParser
import ServiceSetup
import LNURL
import LightningCoding
import Platform
import LightningCrypto
import ResponderModel

/// The settings of an account, as flags. The word `none` clears an optional one.
struct AccountOptions: ParsableArguments {
    @Option(help: "The short description that every wallet shows (new accounts: Pay to the address).")
    var description: String?
    @Option(help: "A longer description (LUD-20).")
    var longDescription: String?
    @Option(help: ArgumentHelp("A picture, at most 100 kB, PNG or JPEG.", valueName: "file"))
    var image: String?
    @Flag(inversion: .prefixedNo, help: "Whether the address also receives mail (LUD-16).")
    var mailbox: Bool?
    @Option(
        help: ArgumentHelp(
            "The minimum amount: 1sat, 1500msat, 0.001btc, or none for the node's (new accounts: none).",
            valueName: "amount"))
    var min: String?
    @Option(
        help: ArgumentHelp(
            "The maximum amount, or none for the node's (new accounts: none).", valueName: "amount"))
    var max: String?
    @Option(
        help: ArgumentHelp(
            "The maximum length of a comment in characters, \(AccountSettings.commentRange.words); 0 for none (LUD-12; new "
                + "accounts: \(Self.standard.commentAllowed)).",
            valueName: "count"))
    var commentAllowed: Int?
    @Option(
        help: ArgumentHelp(
            "The payer data to request: name, pubkey, identifier, email or auth, with =optional, =mandatory or =no (LUD-18; "
                + "new accounts: nothing).",
            valueName: "field=how"
        )
    )
    var ask: [String] = []
    @Option(help: ArgumentHelp("Show this text after the payment (LUD-09).", valueName: "text"))
    var successMessage: String?
    @Option(help: ArgumentHelp("Offer this link after the payment (LUD-09).", valueName: "url"))
    var successUrl: String?
    @Option(help: ArgumentHelp("Reveal this text after the payment (LUD-10).", valueName: "text"))
    var successSecret: String?
    @Option(help: ArgumentHelp("The description of the link or the revealed text.", valueName: "text"))
    var successDescription: String?
    @Option(
        help: ArgumentHelp(
            "How long an invoice can be paid, \(AccountSettings.invoiceExpiryRange.words) (new accounts: "
                + "\(Self.standard.invoiceExpiry)).",
            valueName: "seconds"))
    var invoiceExpiry: UInt64?
    @Option(help: ArgumentHelp("The node that receives payments (new accounts: the only one).", valueName: "name"))
    var backend: String?
    @Option(
        help: ArgumentHelp(
            "The URL to which payments to this account are announced, instead of settlement-webhook.url.",
            valueName: "url"))
    var settlementWebhook: String?
    @Option(help: ArgumentHelp("The file (mode 0600) with the secret that signs it: whsec_…", valueName: "file"))
    var settlementSecretFile: String?
    @Option(
        help: ArgumentHelp(
            "The node key, in hex, whose registered devices are notified of payments; \"none\" to disable.",
            valueName: "key"))
    var owner: String?

    private static let standard = AccountSettings(description: "", backend: .embedded)

    func applied(to settings: AccountSettings) throws(CommandFailure) -> AccountSettings {
        var settings = settings
        settings.description = description ?? settings.description
        if let longDescription { settings.longDescription = longDescription.unlessNone }
        if let image { settings.image = try image.unlessNone.map(Self.picture) }
        settings.isMailbox = mailbox ?? settings.isMailbox
        if let min { settings.minSendable = try Self.amount(min, "--min") }
        if let max { settings.maxSendable = try Self.amount(max, "--max") }
        if let commentAllowed {
            try Self.check(
                UInt64(exactly: commentAllowed) ?? .max, in: AccountSettings.commentRange, "--comment-allowed")
            settings.commentAllowed = commentAllowed
        }
        if let invoiceExpiry {
            try Self.check(invoiceExpiry, in: AccountSettings.invoiceExpiryRange, "--invoice-expiry")
            settings.invoiceExpiry = invoiceExpiry
        }
        for text in ask { try Self.ask(text, &settings.payerData) }
        if let action = try successAction() { settings.successAction = action }
        settings.backend = try backendName() ?? settings.backend
        settings.settlementWebhook = try webhook(settings.settlementWebhook)
        if let owner { settings.owner = try owner.unlessNone.map(Self.publicKey) }
        return settings
    }

    private static func publicKey(_ text: String) throws(CommandFailure) -> PublicKey {
        try rethrowing(
            PublicKey(hexadecimal: text), as: CommandFailure(.usage, "--owner must be a public key of 66 hex digits"))
    }

    private func webhook(_ earlier: SettlementWebhook?) throws(CommandFailure) -> SettlementWebhook? {
        guard settlementWebhook != nil || settlementSecretFile != nil else { return earlier }
        if settlementWebhook == "none", settlementSecretFile == nil { return nil }
        guard let url = settlementWebhook ?? earlier?.url.text, let file = settlementSecretFile ?? earlier?.secretFile
        else { throw CommandFailure(.usage, "--settlement-webhook and --settlement-secret-file belong together") }
        return try SettlementWebhook(argument: url, secretFile: file)
    }

    func backendName() throws(CommandFailure) -> BackendName? {
        guard let backend else { return nil }
        guard let name = BackendName(backend) else { throw CommandFailure(.usage, "--backend: no name of a node") }
        return name
    }

    private static func amount(_ text: String, _ flag: String) throws(CommandFailure) -> Millisatoshi? {
        guard let text = text.unlessNone else { return nil }
        let amount = try rethrowing(
            Millisatoshi(text: text),
            as: CommandFailure(.usage, "\(flag): \(text) is not an amount; write 21sat, 1500msat, 0.001btc"))
        guard AccountSettings.amountRange.contains(amount.msat) else {
            throw CommandFailure(.usage, "\(flag): \(text) must be from 1msat to \(Millisatoshi.maximum.formatted)")
        }
        return amount
    }

    private static func check(
        _ value: UInt64, in range: ClosedRange<UInt64>, _ flag: String
    ) throws(CommandFailure) {
        guard range.contains(value) else { throw CommandFailure(.usage, "\(flag) must be \(range.words)") }
    }

    private static func ask(_ text: String, _ spec: inout PayerDataSpec) throws(CommandFailure) {
        let parts = text.split(separator: "=", maxSplits: 1).map { String($0) }
        guard parts.count == 2, let field = PayerDataSpec.Field(rawValue: parts[0]) else {
            throw CommandFailure(.usage, "--ask: write a field of LUD-18 and how, as in name=optional")
        }
        switch parts[1] {
        case "no": spec.requirements[field] = nil
        case "optional": spec.requirements[field] = .optional
        case "mandatory": spec.requirements[field] = .mandatory
        default: throw CommandFailure(.usage, "--ask: \(parts[1]) must be no, optional or mandatory")
        }
    }

    private func successAction() throws(CommandFailure) -> AccountSuccessAction? {
        do {
            switch (successMessage, successUrl, successSecret) {
            case (nil, nil, nil): return nil
            case ("none"?, nil, nil): return AccountSuccessAction.none
            case (let text?, nil, nil): return .message(try ActionText(text))
            case (nil, let url?, nil):
                return .url(try ActionLink(description: ActionText(successDescription ?? ""), text: url))
            case (nil, nil, let secret?):
                return .secret(secret, description: try ActionText(successDescription ?? ""))
            default: throw CommandFailure(.usage, "only one of --success-message, --success-url, --success-secret")
            }
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.usage, "the success action cannot be used: \(error.readableReason)")
        }
    }

    private static func picture(at path: String) throws(CommandFailure) -> PayMetadata.Image {
        let bytes = try rethrowing(OpenFile(reading: path).contents(limit: PayMetadata.Image.maximumCount / 4 * 3)) {
            (fault: PrivateFileFault) in CommandFailure(.noInput, "\(path): \(fault.reason)")
        }
        let format: PayMetadata.Image.Format
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            format = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            format = .jpeg
        } else {
            throw CommandFailure(.data, "\(path): neither PNG nor JPEG")
        }
        return try rethrowing(
            PayMetadata.Image(format: format, bytes: bytes), as: CommandFailure(.data, "\(path): too large"))
    }
}

extension ClosedRange<UInt64> {
    fileprivate var words: String { "from \(lowerBound) to \(upperBound)" }
}

extension String {
    fileprivate var unlessNone: String? { self == "none" ? nil : self }
}
