import LightningCoding
import Logging
import RateLimiting
import ResponderCore
import ServiceLifecycle

/// Takes over what other processes change: accounts, and the keys of imported offers.
struct AccountWatch: Service {
    let accounts: AccountDirectory
    let noticeImports: @Sendable () throws -> Void
    let logger: Logger
    /// Waits after a failure.
    var pause: @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(1)) }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var revision: UInt64?
            let notices = RepeatedLines<String>()
            while !Task.isCancelled {
                do {
                    revision = try await accounts.refresh(after: revision)
                    try noticeImports()
                } catch {
                    revision = nil
                    let reason = error.readableReason
                    notices.note(reason) { [logger] times in
                        logger.warning(
                            "cannot read accounts or imported keys",
                            metadata: ["cause": .string(reason)].repeated(times))
                    }
                    try? await pause()
                }
            }
        }
    }
}
