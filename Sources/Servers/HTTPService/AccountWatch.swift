import LightningCoding
package import Logging
import Platform
package import ResponderCore
package import ServiceLifecycle

/// Takes over what other processes change: accounts, and the keys of imported offers.
package struct AccountWatch: Service, ServiceFeature {
    private let accounts: AccountDirectory
    package let noticeImports: @Sendable () throws -> Void
    private let logger: Logger
    /// Waits after a failure.
    var pause: @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(1)) }
    /// Waits before looking for keys of which the ledger tells nothing: those that were put back.
    var interval: @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(60)) }
    private let notices = RepeatedLines<String>()

    /// - Parameter noticeImports: loads offer keys that another process has imported.
    package init(
        accounts: AccountDirectory, noticeImports: @escaping @Sendable () throws -> Void, logger: Logger
    ) {
        self.accounts = accounts
        self.noticeImports = noticeImports
        self.logger = logger
    }

    package func addRoutes(to router: PublicRouter) {}

    package var services: [any Service] { [self] }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            async let keys: Void = watchKeys()
            await watchAccounts()
            await keys
        }
    }

    private func watchAccounts() async {
        var revision: UInt64?
        while !Task.isCancelled {
            do {
                revision = try await accounts.refresh(after: revision)
                try noticeImports()
            } catch {
                revision = nil
                note(error)
                try? await pause()
            }
        }
    }

    private func watchKeys() async {
        while (try? await interval()) != nil {
            do {
                try noticeImports()
            } catch {
                note(error)
            }
        }
    }

    private func note(_ error: any Error) {
        let reason = error.readableReason
        notices.note(reason) { times in
            logger.warning(
                "cannot read accounts or imported keys", metadata: ["cause": .string(reason)].repeated(times))
        }
    }
}
