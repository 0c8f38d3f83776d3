import ArgumentParser
import HTTPService
import ServiceSetup
import LightningCoding
import ResponderModel

struct Instances: InstallationCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "List the running instances of the service: versions, since when, last seen, and what each of them does.",
        discussion: """
            One instance at a time follows the payments of a node (backend:NAME), is the Lightning peer (onion), deletes \
            what is no longer needed (upkeep), and carries out the outbox.
            """
    )

    @OptionGroup var common: CommonOptions
    @Flag(
        help:
            "Forget which keys the instances use; the next one that starts decides. For after all were stopped and their keys replaced."
    )
    var forgetKeys = false

    func perform() async throws(CommandFailure) -> CommandResult {
        let ledger = try await settings.configuration().openUsedLedger(for: forgetKeys ? .writing : .reading)
        let instances = try await CommandFailure.asking(await ledger.instances())
        let now = try await CommandFailure.asking(await ledger.now())
        if forgetKeys {
            let running = instances.filter { $0.isAlive(at: now) }.map(\.record.id.text)
            guard running.isEmpty else {
                throw CommandFailure(.no, "stop all instances first: \(running.joined(separator: ", "))")
            }
            try await CommandFailure.asking(await ledger.forgetKeys())
        }
        await ledger.close()
        return CommandResult(
            text: instances.isEmpty ? "No instance is running.\n" : instances.map { $0.lines(at: now) }.joined(),
            json: ["instances": .array(instances.map(\.json))])
    }
}

extension InstanceStatus {
    fileprivate func lines(at now: UnixTime) -> String {
        """
        \(record.id)  \(record.version)\(isAlive(at: now) ? "" : "  not running")
          payers \(record.payers), admin \(record.admin)
          since \(record.startedAt.iso8601), last seen \(seenAt.iso8601)
          \(leases.isEmpty ? "holds no lease" : "holds \(leases.map(\.text).joined(separator: ", "))")

        """
    }
}
