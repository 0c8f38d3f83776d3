package import ResponderCore
import LightningCoding
package import ResponderModel

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension Installation {
    package func settlementWebhooks() throws(CommandFailure) -> SettlementWebhookSender {
        let configuration = self.configuration.settlementWebhook
        if let webhook = configuration.standard { try webhook.checkSecret() }
        return try rethrowing(
            SettlementWebhookSender(
                .init(
                    standard: configuration.standard, allowsPrivate: configuration.allowsPrivate,
                    proxy: self.configuration.replies.proxy), ledger: ledger, clock: now),
            as: CommandFailure(.unavailable, "settlement webhooks cannot be posted"))
    }

    /// From now on every settlement enqueues its webhook, or none does, whichever process records it.
    ///
    /// - Throws: when this instance has no webhook for all accounts, and running ones have.
    package func announceSettlementWebhook() async throws(CommandFailure) {
        let isWanted = configuration.settlementWebhook.standard != nil
        try await requireSameSettlementWebhook()
        try await CommandFailure.asking(await ledger.tellSettlementsOfAll(isWanted))
        do throws(CommandFailure) {
            // One that has started meanwhile may have announced its own before.
            try await requireSameSettlementWebhook()
        } catch {
            try await CommandFailure.asking(await ledger.tellSettlementsOfAll(true))
            throw error
        }
    }

    /// - Throws: when this instance has no webhook for all accounts, and running ones have.
    package func requireSameSettlementWebhook() async throws(CommandFailure) {
        guard configuration.settlementWebhook.standard == nil else { return }
        let others = try await runningInstances().filter(\.record.tellsSettlementsOfAll)
        guard others.isEmpty else {
            throw CommandFailure(
                .configuration,
                "settlement-webhook.url is not set, but running instances announce payments to theirs: "
                    + others.map(\.record.id.text).joined(separator: ", ")
                    + "; set it here, or stop all instances before it is removed")
        }
    }
}

extension SettlementWebhook {
    /// A webhook as typed; its secret file must exist and hold a secret.
    ///
    /// - Parameter file: its path, relative to the working directory.
    package init(argument text: String, secretFile file: String) throws(CommandFailure) {
        guard let url = try? HTTPURL(text) else {
            throw CommandFailure(.usage, "--settlement-webhook: \(text) is not an http(s) URL")
        }
        self.init(url: url, secretFile: try Self.absolutePath(file))
        try checkSecret()
    }

    func checkSecret() throws(CommandFailure) {
        do {
            _ = try WebhookSigningSecret(file: secretFile)
        } catch {
            throw CommandFailure(.data, error.reason)
        }
    }

    /// Absolute, since the service may run in another directory.
    private static func absolutePath(_ path: String) throws(CommandFailure) -> String {
        guard path.utf8.first != UInt8(ascii: "/") else { return path }
        guard let directory = getcwd(nil, 0) else {
            throw CommandFailure(.input, "the working directory no longer exists")
        }
        defer { free(directory) }
        return String(cString: directory) + "/" + path
    }
}
