#if os(Linux)
import AddressService
import Bolt11
import ChildProcesses
import Foundation
import LNURL
import LightningCoding
import LightningCrypto
import LoopbackServer
import OutboundHTTP
import Receiving
import SQLiteLedger
import Testing
import Waiting

@Suite("A service that is killed", .timeLimit(.minutes(4)))
struct ServiceKillTests {
    @Test("Killed in the middle of notifications, no invoice that left is missing from the ledger")
    func killed() async throws {
        let bench = try RespondBench()
        // The first makes the folder, its keys and the account.
        #expect(try await bench.run(bench.invoiceRequest(1_000)).status == 0)
        let port = try ClosedPort().port
        var service: BackgroundProcess? = try serve(bench, at: port)
        let webhook = try webhook(bench, at: port)
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
                        let body = bench.invoiceRequest(1_000 * (sender + 16 * number))
                        let request = HTTPRequest(
                            .post, webhook, headers: [.jsonContent], body: Array(body.utf8), timeout: .seconds(5))
                        guard (try? await client.send(request)) != nil else { return }
                    }
                }
            }
            try await eventually { bench.replies.count > 17 }
            // The last reference: SIGKILL, while all of them go on asking.
            #expect(service != nil)
            service = nil
            try await group.waitForAll()
        }
        let sent = try bench.sentInvoices()
        #expect(sent.count > 16)
        let ledger = try await bench.ledger()
        for text in sent {
            #expect(try await ledger.invoice(Bolt11Invoice(text).paymentHash)?.bolt11 == text)
        }
        #expect(try await ledger.check().isSound)
        #expect(try await bench.run(bench.invoiceRequest(7_000_000)).status == 0)
    }

    private func serve(_ bench: RespondBench, at port: UInt16) throws -> BackgroundProcess {
        try BackgroundProcess(
            RespondBench.program("lightning-responder"),
            [
                "serve", "--listen", "127.0.0.1:\(port)", "--admin-listen", "127.0.0.1:0", "--data-directory",
                bench.data, "--replies-allow-loopback", "--rates-account", "0",
            ], output: "/dev/null")
    }

    private func webhook(_ bench: RespondBench, at port: UInt16) throws -> HTTPURL {
        let key = try Data(contentsOf: URL(filePath: bench.data + "/webhook.key"))
        return try WebhookSecrets(key: SecretBytes(Array(key)))
            .url(of: AddressName("alice"), at: HTTPURL("http://127.0.0.1:\(port)"))
    }
}
#endif
