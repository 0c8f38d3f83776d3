import ResponderCore
import ServiceSetup
import LNURL
import LightningCoding
import LightningCrypto
import ResponderModel

extension Account {
    func report(webhook: HTTPURL? = nil) -> CommandResult {
        let lines = [
            ("Address", address.text), ("LNURL", EncodedURL.encode(address.payURL)),
            ("Description", settings.description), ("Longer", settings.longDescription),
            ("Picture", settings.image?.format.rawValue), ("Amounts", amounts), ("Comments", comments),
            ("Payer data", payerData), ("After paying", action),
            ("Invoices", "valid for \(settings.invoiceExpiry) seconds"),
            ("Also email", settings.isMailbox ? "yes" : "no"),
            ("Node", settings.backend.description), ("Version", "\(version) of the metadata"),
            ("Added", createdAt.iso8601),
            ("Settlements", settings.settlementWebhook.map { "announced to \($0.url.text)" }),
            ("Owner", settings.owner?.hexadecimal), ("Webhook", webhook?.text),
        ]
        return CommandResult(text: lines.lines(width: 15), json: .object(json(webhook: webhook)))
    }

    private var amounts: String {
        let least = settings.minSendable ?? domain.settings.minSendable ?? AccountSettings.usualMinimum
        let most = (settings.maxSendable ?? domain.settings.maxSendable).map(\.formatted) ?? "the node's maximum"
        return "\(least.formatted) to \(most), within the node's limits"
    }

    private var comments: String {
        settings.commentAllowed == 0 ? "none" : "up to \(settings.commentAllowed) characters"
    }

    private var payerData: String {
        let asked = PayerDataSpec.Field.allCases.compactMap { field in
            settings.payerData[field].map { "\(field.rawValue) (\($0 == .mandatory ? "mandatory" : "optional"))" }
        }
        return asked.isEmpty ? "none" : asked.joined(separator: ", ")
    }

    private var action: String {
        switch settings.successAction {
        case .none: "nothing"
        case .message(let text): "shows “\(text.text)”"
        case .url(let link): "offers \(link.text) (\(link.description.text))"
        case .secret(let text, let description): "reveals “\(text)” (\(description.text))"
        }
    }
}
