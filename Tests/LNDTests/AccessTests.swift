import BackendContract
import FakeNode
import LND
import LightningCoding
import LightningCrypto
import LoopbackServer
import Platform
import ResponderModel
import TemporaryFolders
import Testing

@Suite("Access to LND", .timeLimit(.minutes(5)))
struct AccessTests {
    private func info(_ backend: LNDBackend) async -> BackendFault? {
        await fault { () async throws(BackendFault) in _ = try await backend.nodeInfo() }
    }

    @Test(
        "Missing permissions are named as in lncli",
        arguments: [[], ["info:read"], ["invoices:write", "offchain:read"]] as [[String]])
    func permissions(missing: [String]) async throws {
        let fixture = try LNDFixture()
        let digits = Hexadecimal.encode(FakeLND.macaroon)
        fixture.node.state.withLock { $0.macaroons[digits] = FakeLND.everything.subtracting(missing) }
        #expect(Set(try await fixture.backend().missingPermissions()) == Set(missing))
    }

    @Test("Reading the node's identity reports all missing permissions at once")
    func denial() async throws {
        let fixture = try LNDFixture()
        fixture.node.state.withLock { $0.macaroons[Hexadecimal.encode(FakeLND.macaroon)] = ["invoices:read"] }
        #expect(
            await info(try fixture.backend())
                == .refused("permission denied: the macaroon lacks info:read, offchain:read, invoices:write"))
    }

    @Test("A call that the macaroon does not allow reports the missing permissions")
    func permissionDenied() async throws {
        let fixture = try LNDFixture()
        let digits = Hexadecimal.encode(FakeLND.macaroon)
        fixture.node.state.withLock { $0.macaroons[digits] = ["info:read", "offchain:read"] }
        let backend = try fixture.backend()
        #expect(await info(backend) == nil)
        #expect(
            await fault { () async throws(BackendFault) in _ = try await backend.createInvoice(.sample()) }
                == .refused("permission denied: the macaroon lacks invoices:write"))
        await #expect(throws: BackendFault.refused("permission denied: the macaroon lacks invoices:read")) {
            try await backend.settlements(1, after: SettlementCursor("1"))
        }
    }

    @Test(
        "A macaroon of another node, or an invalid one, is rejected until the file holds the right one",
        arguments: [
            ([2, 1, 3, 9], "verification failed: signature mismatch after caveat verification"),
            ([2, 9, 9], "unmarshal v2: field data extends past end of buffer"),
        ] as [([UInt8], String)])
    func otherMacaroon(bytes: [UInt8], words: String) async throws {
        let fixture = try LNDFixture()
        try writeFile(bytes, to: fixture.macaroonPath)
        let backend = try fixture.backend()
        #expect(await info(backend) == .refused("the macaroon is not accepted: " + words))
        try writeFile(FakeLND.macaroon, to: fixture.macaroonPath)
        #expect(await info(backend) == nil)
    }

    @Test("A macaroon file may be hexadecimal, with a trailing line feed")
    func digits() async throws {
        let fixture = try LNDFixture()
        try writeFile(Array((Hexadecimal.encode(FakeLND.macaroon).uppercased() + "\n").utf8), to: fixture.macaroonPath)
        #expect(await info(try fixture.backend()) == nil)
    }

    @Test("A macaroon file that is missing, empty or not private is named, and nothing is sent; later it is read")
    func macaroonFile() async throws {
        let fixture = try LNDFixture()
        let path = fixture.macaroonPath
        let backend = try fixture.backend()
        try writeFile([], to: path)
        #expect(await info(backend) == .refused("the macaroon file \(path) is empty"))
        try writeFile(FakeLND.macaroon, to: path, mode: 0o644)
        #expect(
            await info(backend)
                == .refused("the macaroon file \(path): it is accessible to others (mode 644); it must be 600"))
        let elsewhere = try fixture.backend { $0.macaroonPath += ".none" }
        #expect(await info(elsewhere) == .refused("the macaroon file \(path).none: no such file"))
        #expect(fixture.node.server.requests.isEmpty)
        try writeFile(FakeLND.macaroon, to: path)
        #expect(await info(backend) == nil)
    }

    @Test("A macaroon is never sent unencrypted")
    func plain() throws {
        let fixture = try LNDFixture()
        let refusal = BackendFault.refused("the URL must begin with https, or lead to this machine or an onion service")
        #expect(throws: refusal) {
            try fixture.backend { $0.url = try HTTPURL("http://node.example:8080") }
        }
        _ = try fixture.backend { $0.url = try HTTPURL("https://node.example:8080") }
    }

    @Test(
        "A node that is starting, or whose wallet is locked, is unreachable",
        arguments: ["waiting to start", "wallet locked", "starting up"])
    func notReady(name: String) async throws {
        let fixture = try LNDFixture()
        let backend = try fixture.backend()
        let words = try #require(Recorded.answer(name)["message"]?.string)
        fixture.node.state.withLock { $0.isNotReady = words }
        #expect(await info(backend) == .unreachable(words))
        fixture.node.state.withLock { $0.isNotReady = nil }
        #expect(await info(backend) == nil)
    }

    @Test(
        "Over TLS the certificate in the file is accepted, whatever its names, and no other",
        .enabled(if: SecureFileServer.isAvailable))
    func certificate() async throws {
        let fixture = try LNDFixture()
        let answers = try await recorded(fixture)
        let identity = try await ServerIdentity(for: "DNS:lnd")
        let server = try await SecureFileServer(identity, answers: answers)
        let path = fixture.folder.path + "/tls.cert"
        let url = try HTTPURL("https://127.0.0.1:\(server.port)")
        let backend = try fixture.backend {
            $0.url = url
            $0.certificatePath = path
        }
        #expect(await info(backend) == .refused("the certificate file \(path): no such file"))
        try copy(identity.certificate, to: path)
        #expect(await permissions(backend) == nil)
        // The node has created a new certificate; our file still holds the old one.
        let other = try await ServerIdentity(for: "DNS:lnd")
        try copy(other.certificate, to: path)
        let late = try fixture.backend {
            $0.url = url
            $0.certificatePath = path
        }
        #expect(
            await permissions(late)
                == .refused("the server's certificate has changed: its key is not the one in our file"))
        // Once the file holds the new one, calls succeed again.
        try copy(identity.certificate, to: path)
        #expect(await permissions(late) == nil)
        // Without a file only the authorities count.
        let trusting = try fixture.backend { $0.url = url }
        #expect(await permissions(trusting) == .refused("the server's certificate is self-signed"))
        try writeFile(Array("no certificate".utf8), to: path)
        let broken = try fixture.backend {
            $0.url = url
            $0.certificatePath = path
        }
        #expect(
            await permissions(broken)
                == .refused("the certificate file \(path) holds no certificate that can be read"))
    }

    /// The one call without a query, which a file server can answer.
    private func permissions(_ backend: LNDBackend) async -> BackendFault? {
        let nothing = try? PaymentHashes.nothing()
        guard let nothing else { return .unsupported }
        return await fault { () async throws(BackendFault) in _ = try await backend.status(of: nothing) }
    }

    private func recorded(_ fixture: LNDFixture) async throws -> [String: LoopbackAnswer] {
        let refusal = FakeLND.Refusal(404, 5, "unable to locate invoice")
        return ["/v1/invoice/" + (try PaymentHashes.nothing()).hexadecimal: refusal.answer]
    }

    private func copy(_ source: String, to path: String) throws {
        try writeFile(try contentsOfFile(source), to: path, mode: 0o644)
    }
}
