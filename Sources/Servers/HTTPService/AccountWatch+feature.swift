import LightningCoding
package import Logging
import Platform
package import ResponderCore
package import ServiceLifecycle

extension AccountWatch: ServiceFeature {
    /// - Parameter noticeImports: loads offer keys that another process has imported.
    package init(
        accounts: AccountDirectory, noticeImports: @escaping @Sendable () throws -> Void, logger: Logger
    ) {
        self.init(accounts: accounts, noticeImports: noticeImports) { [notices = RepeatedLines<String>()] error in
            let reason = error.readableReason
            notices.note(reason) { times in
                logger.warning(
                    "cannot read accounts or imported keys", metadata: ["cause": .string(reason)].repeated(times))
            }
        }
    }

    package var services: [any Service] { [BackgroundTask { await run() }] }
}
