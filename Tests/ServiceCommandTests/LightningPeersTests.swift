import ArgumentParser
import HTTPService
import ServiceSetup
import LightningCoding
import Logging
@testable import ResponderCore
import ResponderModel
import ServiceLifecycle
import TemporaryFolders
import Testing
import Waiting
@testable import ServiceCommand

@Suite("Our own Lightning peer among several instances", .timeLimit(.minutes(5)))
struct LightningPeersTests: CommandFixture {
    let temporary = TemporaryFolder()
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test("runs only while this instance holds the lease, and gives it back when it stops")
    func lease() async throws {
        let words = data + ["--onion-peer-listen", "127.0.0.1:0"]
        let installation = try await Installation.openOrMake(SettingOptions.parse(words).configuration())
        let ledger = installation.ledger
        let other = try #require(InstanceID("other"))
        let taken = try #require(try await ledger.lease(.onion, for: other, lasting: 3_600))
        let address = ListenAddress(host: "127.0.0.1", port: 1)
        let record = InstanceRecord(
            id: try #require(InstanceID("ours")), name: .unnamed, process: 1, version: "1", startedAt: .now(),
            payers: address, admin: address, publicURL: nil, keys: KeysFingerprint(of: []))
        let terms = LeaseTerms(
            length: 60, renewal: .milliseconds(20), hold: .seconds(50), heartbeat: .seconds(60), lifetime: 60,
            isAlone: false)
        let instance = ServiceInstance(record, on: ledger, terms: terms)
        let peers = try #require(
            try await LightningPeers(
                installation, installation.responder(), instance, metrics: PrometheusMetrics(),
                logger: logger))
        let group = ServiceGroup(services: [peers], logger: logger)
        let running = Task { try await group.run() }
        try await eventually { instance.leases.map(\.name) == [.onion] }
        #expect(peers.reporter.introductions() == nil)
        try await ledger.release(taken)
        try await eventually { peers.reporter.introductions() != nil }
        #expect(instance.holds(.onion))
        await group.triggerGracefulShutdown()
        try await running.value
        #expect(peers.reporter.introductions() == nil)
        #expect(try await ledger.lease(.onion, for: other, lasting: 60) != nil)
        await installation.close()
    }

    @Test("stops when another instance holds the lease", arguments: [true, false])
    func stops(isCancelled: Bool) async throws {
        let words = data + ["--onion-peer-listen", "127.0.0.1:0"]
        let installation = try await Installation.openOrMake(SettingOptions.parse(words).configuration())
        let other = try #require(InstanceID("other"))
        _ = try await installation.ledger.lease(.onion, for: other, lasting: 3_600)
        let instance = try installation.instance(logger)
        let peers = try #require(
            try await LightningPeers(
                installation, installation.responder(), instance, metrics: PrometheusMetrics(),
                logger: logger))
        let group = ServiceGroup(services: [peers], logger: logger)
        let running = Task { try? await group.run() }
        try await eventually { instance.leases.map(\.name) == [.onion] }
        if isCancelled { running.cancel() } else { await group.triggerGracefulShutdown() }
        await running.value
        await installation.close()
    }
}
