/// Takes over what other processes change: accounts, and the keys of imported offers.
package struct AccountWatch: Sendable {
    private let accounts: AccountDirectory
    package let noticeImports: @Sendable () throws -> Void
    private let pause: @Sendable () async throws -> Void
    private let interval: @Sendable () async throws -> Void
    private let noteFault: @Sendable (any Error) -> Void

    /// - Parameters:
    ///   - noticeImports: loads offer keys that another process has imported.
    ///   - interval: waits before looking for keys of which the ledger tells nothing: those that were put back.
    package init(
        accounts: AccountDirectory, noticeImports: @escaping @Sendable () throws -> Void,
        pause: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(1)) },
        interval: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(60)) },
        noteFault: @escaping @Sendable (any Error) -> Void
    ) {
        self.accounts = accounts
        self.noticeImports = noticeImports
        self.pause = pause
        self.interval = interval
        self.noteFault = noteFault
    }

    package func run() async {
        async let keys: Void = watchKeys()
        await watchAccounts()
        await keys
    }

    private func watchAccounts() async {
        var revision: UInt64?
        while !Task.isCancelled {
            do {
                revision = try await accounts.refresh(after: revision)
                try noticeImports()
            } catch {
                revision = nil
                noteFault(error)
                try? await pause()
            }
        }
    }

    private func watchKeys() async {
        while (try? await interval()) != nil {
            do {
                try noticeImports()
            } catch {
                noteFault(error)
            }
        }
    }
}
