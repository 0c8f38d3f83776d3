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
    /// Register or unregister a key.
    case key(String)
    case recover(String)
    /// Register or unregister an offer of a key.
    case offer(String)
    case recoverOffer(String)
    case response(String)

    static let keyCount = 66

    /// Parses a path; nil when it is not one of these.
    init?(_ path: some StringProtocol) {
        let parts = String(path).utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true)
            .map { ExactText(Substring($0)) }
        guard let first = parts.first, parts.count > 1 else { return nil }
        let second = parts[1].text
        let isKey = second.utf8.count == Self.keyCount
        switch (first, parts.count) {
        case ("response", 2): self = .response(second)
        case ("lnurlpay", 2) where isKey: self = .key(second)
        case ("bolt12offer", 2) where isKey: self = .offer(second)
        case ("bolt12offer", 3) where isKey && parts[2] == "recover": self = .recoverOffer(second)
        case ("lnurlpay", 3) where isKey && parts[2] == "recover": self = .recover(second)
        default: return nil
        }
    }

    var isChange: Bool {
        switch self {
        case .key, .offer: true
        default: false
        }
    }
}
