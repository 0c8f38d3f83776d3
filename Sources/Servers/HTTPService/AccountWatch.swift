import LightningCoding
import Logging
import Platform
import ResponderCore
import ServiceLifecycle

/// Takes over what other processes change: accounts, and the keys of imported offers.
struct AccountWatch: Service {
    let accounts: AccountDirectory
    let noticeImports: @Sendable () throws -> Void
    let logger: Logger
    /// Waits after a failure.
    var pause: @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(1)) }
    /// Waits before looking for keys of which the ledger tells nothing: those that were put back.
    var interval: @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(60)) }
    private let notices = RepeatedLines<String>()

    func run() async throws {
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
