import ServiceSetup
import LightningCoding
import QRCodes

extension CommandResult {
    /// The report with a text as a QR code.
    func withCode(_ text: String) throws(CommandFailure) -> CommandResult {
        let code = try rethrowing(QRCode(text), as: CommandFailure(.data, "too long for a QR code"))
        let drawing = code.terminalText(.plain)
        var members = json.object ?? [:]
        members.append("qr", .string(drawing))
        return CommandResult(text: drawing + self.text, json: .object(members))
    }
}
