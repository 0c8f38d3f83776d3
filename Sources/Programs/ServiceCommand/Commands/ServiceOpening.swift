import HTTPService
import ServiceSetup
import LNURL
import LightningCoding
import Logging
import ResponderCore
import ResponderModel
import ServiceLifecycle

/// Runs once both listeners are open, and not before: a failed start changes nothing.
struct ServiceOpening: Service {
    let installation: Installation
    let account: AccountArgument?
    let accounts: AccountDirectory
    let instance: ServiceInstance
    let lock: ServiceLock
    let listeners: AsyncStream<AddressServer.Endpoint>
    let asJSON: Bool
    let logger: Logger

    func run() async throws {
        var payers: ListenAddress?
        var admin: ListenAddress?
        for await listener in listeners.cancelOnGracefulShutdown() {
            switch listener {
            case .payers(let address): payers = address
            case .admin(let address): admin = address
            }
            if let payers, let admin { return try await opened(payers, admin) }
        }
    }

    private func opened(_ payers: ListenAddress, _ admin: ListenAddress) async throws {
        try await installation.requireSameSettlementWebhook()
        try await installation.announcePublicURL(logger)
        let address: LightningAddress? =
            if let account { try await installation.addIfMissing(account) } else { nil }
        try await accounts.refresh()
        try await installation.announceSettlementWebhook()
        if let orphans = try await installation.orphans() { logger.warning("\(orphans)") }
        lock.describe(payers: payers, admin: admin)
        await instance.listens(payers: payers, admin: admin)
        let greeting = greeting(payers: payers, admin: admin, account: address)
        StandardStream.output.write(asJSON ? greeting.json.serialized() + "\n" : greeting.text)
    }

    private func greeting(
        payers: ListenAddress, admin: ListenAddress, account: LightningAddress?
    ) -> CommandResult {
        let (url, folder) = (installation.configuration.publicURL.origin, installation.folder.path)
        return CommandResult(
            text: """
                Payers:    http://\(payers)  (public URL: \(url))
                Operator:  http://\(admin)
                Data:      \(folder)
                \(account.map { "Pay to:    \($0)\n" } ?? "")
                """,
            json: [
                "payers": .string("http://\(payers)"), "admin": .string("http://\(admin)"), "publicURL": .string(url),
                "dataDirectory": .string(folder), "account": .text(account?.text),
            ])
    }
}

extension Installation {
    fileprivate func addIfMissing(_ argument: AccountArgument) async throws(CommandFailure) -> LightningAddress {
        let id = id(of: argument)
        if let account = try await account(named: id) { return account.address }
        let standard = try await standardSettings(of: id)
        return try await editor.put(id, as: CommandFailure.init) { existing throws(CommandFailure) in
            existing?.settings ?? standard
        }.address
    }
}
