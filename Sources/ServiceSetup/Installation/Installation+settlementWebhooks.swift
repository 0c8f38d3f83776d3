package import Notifications
import LightningCoding
import OutboundHTTP
package import Contracts
import SQLiteLedger

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension Installation {
    /// Tells operators of payments. From now on every settlement adds the work of telling it, by whatever process it is written down.
    package func settlementWebhooks() async throws(CommandFailure) -> SettlementWebhookSender {
        let configuration = self.configuration.settlementWebhook
        if let webhook = configuration.standard { try webhook.checkSecret() }
        _ = try await CommandFailure.asking(await ledger.tellSettlementsOfAll(configuration.standard != nil))
        do {
            return try SettlementWebhookSender(
                .init(
                    standard: configuration.standard, allowsPrivate: configuration.allowsPrivate,
                    proxy: self.configuration.replies.proxy), ledger: ledger)
        } catch {
            throw CommandFailure(.unavailable, "settlement webhooks cannot be posted")
        }
    }
}

extension SettlementWebhook {
    /// A webhook as it is typed; the file must be there, with a secret in it.
    ///
    /// - Parameter file: its path, from the working directory.
    package init(argument text: String, secretFile file: String) throws(CommandFailure) {
        guard let url = try? HTTPURL(text) else {
            throw CommandFailure(.usage, "--settlement-webhook: \(text) is no http(s) URL")
        }
        self.init(url: url, secretFile: try Self.absolutePath(file))
        try checkSecret()
    }

    /// Makes sure that there is a secret.
    func checkSecret() throws(CommandFailure) {
        do {
            _ = try WebhookSigningSecret(file: secretFile)
        } catch {
            throw CommandFailure(.data, error.reason)
        }
    }

    /// The service may run in another directory.
    private static func absolutePath(_ path: String) throws(CommandFailure) -> String {
        guard path.utf8.first != UInt8(ascii: "/") else { return path }
        guard let directory = getcwd(nil, 0) else { throw CommandFailure(.input, "the working directory is gone") }
        defer { free(directory) }
        return String(cString: directory) + "/" + path
    }
}
