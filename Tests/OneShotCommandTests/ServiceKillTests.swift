#if os(Linux)
import LedgerRecords
import ResponderCore
import Bolt11
import ChildProcesses
import Foundation
import LNURL
import LightningCoding
import LightningCrypto
import LoopbackServer
import OutboundHTTP
import ResponderModel
import SQLiteLedger
import Testing
import Waiting

@Suite("Killing the service", .timeLimit(.minutes(5)))
struct ServiceKillTests {
    @Test("When killed while processing notifications, no invoice that was sent is missing from the ledger")
    func killed() async throws {
        let fixture = try RespondFixture()
        // The first creates the folder, its keys and the account.
        #expect(try await fixture.run(fixture.invoiceRequest(1_000)).status == 0)
        let port = try ClosedPort().port
        var service: BackgroundProcess? = try serve(fixture, at: port)
        let webhook = try webhook(fixture, at: port)
        let client = try HTTPClient()
        try await eventually {
            (try? await client.send(HTTPRequest(.get, HTTPURL("http://127.0.0.1:\(port)/robots.txt")))) != nil
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for sender in UInt64(1)...16 {
                group.addTask {
                    var number: UInt64 = 0
                    while true {
                        number += 1
                        let body = fixture.invoiceRequest(1_000 * (sender + 16 * number))
                        let request = HTTPRequest(
                            .post, webhook, headers: [.jsonContent], body: Array(body.utf8), timeout: .seconds(5))
                        guard (try? await client.send(request)) != nil else { return }
                    }
                }
            }
            try await eventually { (try? fixture.sentInvoices().count) ?? 0 > 17 }
            // The last reference: SIGKILL, while all requests continue.
            #expect(service != nil)
            service = nil
            try await group.waitForAll()
        }
        let sent = try fixture.sentInvoices()
        #expect(sent.count > 16)
        let ledger = try await fixture.ledger()
        for text in sent {
            #expect(try await ledger.invoice(Bolt11Invoice(text).paymentHash)?.bolt11 == text)
        }
        #expect(try await ledger.check().findings.isEmpty)
        #expect(try await fixture.run(fixture.invoiceRequest(7_000_000)).status == 0)
    }

    private func serve(_ fixture: RespondFixture, at port: UInt16) throws -> BackgroundProcess {
        try BackgroundProcess(
            RespondFixture.program("lightning-responder"),
            [
                "serve", "--listen", "127.0.0.1:\(port)", "--admin-listen", "127.0.0.1:0", "--data-directory",
                fixture.data, "--replies-allow-loopback", "--rates-account", "0",
            ], output: "/dev/null")
    }

    private func webhook(_ fixture: RespondFixture, at port: UInt16) throws -> HTTPURL {
        let key = try Data(contentsOf: URL(filePath: fixture.data + "/webhook.key"))
        return try WebhookSecrets(key: SecretBytes(Array(key)))
            .url(of: AddressName("alice"), in: Domain(publicURL: PublicURL("http://127.0.0.1:\(port)"), isMain: true))
    }
}
#endif
