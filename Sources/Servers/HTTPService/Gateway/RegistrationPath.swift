import HTTPTypes
import LightningCoding
import Registrations

/// The paths of wallets and devices.
///
/// | path | methods |
/// |---|---|
/// | `/lnurlpay/{key}` | POST registers, DELETE unregisters |
/// | `/lnurlpay/{key}/recover` | POST |
/// | `/bolt12offer/{key}`, `/bolt12offer/{key}/recover` | POST, and DELETE for the first |
/// | `/response/{id}` | POST |
enum RegistrationPath: Hashable {
    /// What is asked of a key; nil for a method that asks for nothing there.
    case statement(BreezOperation?, key: String)
    case response(String)

    static let keyCount = 66

    /// Parses a path that is asked with POST or DELETE; nil when it is not one of these.
    init?(_ path: some StringProtocol, _ method: HTTPRequest.Method) {
        let parts = String(path).utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true)
            .map { ExactText(Substring($0)) }
        guard let first = parts.first, parts.count > 1 else { return nil }
        let (second, isPost) = (parts[1].text, method == .post)
        let isKey = second.utf8.count == Self.keyCount
        let isRecovery = parts.count == 3 && parts[2] == "recover"
        switch (first, parts.count) {
        case ("response", 2): self = .response(second)
        case ("lnurlpay", 2) where isKey: self = .statement(isPost ? .register : .unregister, key: second)
        case ("bolt12offer", 2) where isKey:
            self = .statement(isPost ? .registerOffer : .unregisterOffer, key: second)
        case ("lnurlpay", 3) where isKey && isRecovery: self = .statement(isPost ? .recover : nil, key: second)
        case ("bolt12offer", 3) where isKey && isRecovery:
            self = .statement(isPost ? .recoverOffer : nil, key: second)
        default: return nil
        }
    }
}
