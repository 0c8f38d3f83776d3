import ResponderModel
import LNURL
import LightningCoding
import LightningCrypto
import Logging
import ResponderCore
import ServiceSetup

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension Installation {
    /// This run of the service, not yet in the ledger.
    func instance(_ logger: Logger) throws(CommandFailure) -> ServiceInstance {
        let name = configuration.instanceName ?? InstanceName.ofHost
        let id = try rethrowing(
            InstanceID(name: name, process: getpid(), random: SystemRandom.bytes),
            as: CommandFailure(.unavailable, "the system has no random bytes"))
        let record = InstanceRecord(
            id: id, name: name, process: getpid(), version: SoftwareVersion.text, startedAt: now(),
            payers: configuration.listen, admin: configuration.adminListen,
            publicURL: PublicURL(configuration.publicURL), keys: try folder.keysFingerprint(),
            tellsSettlementsOfAll: configuration.settlementWebhook.standard != nil)
        let terms = leaseTerms
        return ServiceInstance(record, on: ledger, terms: terms) { event in
            logger.note(event, isAlone: terms.isAlone)
        }
    }
}

extension InstanceName {
    /// The name of this machine, as far as it can be one.
    static var ofHost: InstanceName {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return .unnamed }
        let text = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return InstanceName(String(text.prefix(64))) ?? .unnamed
    }
}

extension Logger {
    fileprivate func note(_ event: ServiceInstance.Event, isAlone: Bool) {
        switch event {
        // Where nobody else could hold them, leases tell nothing.
        case .took(let lease):
            log(
                level: isAlone ? .debug : .info, "lease taken",
                metadata: ["lease": "\(lease.name)", "epoch": "\(lease.epoch)"])
        case .stopped(let name): warning("lease lost", metadata: ["lease": "\(name)"])
        case .failed(let fault): warning("cannot renew leases", metadata: ["cause": .string(fault.reason)])
        }
    }
}
