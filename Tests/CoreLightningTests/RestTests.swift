import BackendContract
import FakeNode
import Glibc
import LightningCoding
import Platform
import ResponderModel
import TemporaryFolders
import Testing
@testable import CoreLightning

@Suite("clnrest", .timeLimit(.minutes(5)))
struct RestTests {
    let fixture: NodeFixture

    init() throws {
        fixture = try NodeFixture()
    }

    private func fault(_ backend: CoreLightningBackend) async -> BackendFault? {
        await BackendContract.fault { () async throws(BackendFault) in _ = try await backend.nodeInfo() }
    }

    @Test("Commands work as over the socket, and settlements too")
    func commands() async throws {
        let backend = try fixture.restBackend()
        let invoice = try await backend.createInvoice(.sample())
        #expect(try await backend.status(of: invoice.paymentHash) == .open)
        async let settlement = BackendTests.next(of: backend)
        try fixture.lightningd.pay(invoice.bolt11, Millisatoshi(21_001))
        #expect(try await settlement?.paymentHash == invoice.paymentHash)
    }

    @Test("A rune of another node is rejected, in the node's wording, until the file holds the right one")
    func wrongRune() async throws {
        try writeFile(Array("another".utf8), to: fixture.runePath)
        let backend = try fixture.restBackend()
        #expect(await fault(backend) == .refused("Not authorized: Not derived from master"))
        try writeFile(Array(NodeFixture.rune.utf8), to: fixture.runePath)
        #expect(await fault(backend) == nil)
    }

    @Test("Replacing a revoked rune fails no call")
    func replacedRune() async throws {
        let backend = try fixture.restBackend()
        #expect(await fault(backend) == nil)
        fixture.acceptedRune.withLock { $0 = "fresh" }
        #expect(await fault(backend) == .refused("Not authorized: Not derived from master"))
        try writeFile(Array("fresh\n".utf8), to: fixture.runePath)
        let before = fixture.rest.requests.count
        #expect(await fault(backend) == nil)
        // The rejected call once more, and then both calls of the description.
        #expect(fixture.rest.requests.count == before + 3)
    }

    @Test("A malformed rune is rejected before anything is sent", arguments: ["a\nb", "a\r\nX: y", "é"])
    func unusableRune(_ rune: String) async throws {
        try writeFile(Array(rune.utf8), to: fixture.runePath)
        #expect(await fault(try fixture.restBackend()) == .refused("the rune file \(fixture.runePath) holds no rune"))
        #expect(fixture.rest.requests.isEmpty)
    }

    @Test("A rune file that is missing, empty or not private is named, and nothing is sent; later it is read")
    func runeFile() async throws {
        let path = fixture.runePath
        let backend = try fixture.restBackend()
        try writeFile(Array("\n".utf8), to: path)
        #expect(await fault(backend) == .refused("the rune file \(path) is empty"))
        try writeFile(Array(NodeFixture.rune.utf8), to: path, mode: 0o644)
        #expect(
            await fault(backend)
                == .refused("the rune file \(path): it is accessible to others (mode 644); it must be 600"))
        unlink(path)
        #expect(await fault(backend) == .refused("the rune file \(path): no such file"))
        #expect(fixture.rest.requests.isEmpty)
        try writeFile(Array(NodeFixture.rune.utf8), to: path)
        #expect(await fault(backend) == nil)
    }

    @Test("A rune is never sent unencrypted")
    func plain() throws {
        for (url, isTaken) in [("http://node.example:3010", false), ("https://node.example:3010", true)] {
            let transport = CoreLightningConfiguration.Transport.rest(
                url: try HTTPURL(url), runePath: fixture.runePath, certificatePath: nil)
            let backend = Result { () throws(BackendFault) in
                try CoreLightningBackend(CoreLightningConfiguration(transport: transport))
            }
            switch backend {
            case .success: #expect(isTaken)
            case .failure(let fault):
                #expect(!isTaken)
                #expect(fault == .refused("the URL must begin with https, or lead to this machine or an onion service"))
            }
        }
    }

    @Test("Exactly the commands that the rune does not allow are listed as missing")
    func missingPermissions() async throws {
        let backend = try fixture.restBackend()
        #expect(try await backend.missingPermissions() == [])
        fixture.allowed.withLock { $0 = ["getinfo", "listpeerchannels", "listinvoices", "waitanyinvoice"] }
        #expect(try await backend.missingPermissions() == ["invoice", "delinvoice"])
        #expect(
            try await fixture.restBackend(usesOwnOffers: true).missingPermissions() == [
                "invoice", "delinvoice", "offer", "listoffers", "disableoffer",
            ])
        #expect(fixture.lightningd.state.withLock { $0.records.isEmpty && $0.offers.isEmpty && $0.waiters.isEmpty })
    }

    @Test("Over the socket nothing can be missing")
    func socketPermissions() async throws {
        #expect(try await fixture.backend().missingPermissions() == [])
    }

    @Test("The node's errors are the same as over the socket")
    func errors() async throws {
        let backend = try fixture.restBackend()
        _ = try await backend.createInvoice(.sample())
        await #expect(throws: BackendFault.duplicate) { try await backend.createInvoice(.sample()) }
    }
}
