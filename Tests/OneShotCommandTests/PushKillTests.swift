#if os(Linux)
import ChildProcesses
import LightningCoding
import LightningCrypto
import LoopbackServer
import OutboundHTTP
import PushProviders
import TemporaryFolders
import Testing
import Waiting

@Suite("Killing the service that pushes", .timeLimit(.minutes(2)))
struct PushKillTests {
    private static let pem = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgya+p2EW6dRZrXCFX
        Z7HWk05Qw9s26JsSe4piKxIPZyGhRANCAARg/tS6JVqdMclh63TGNW1owEm4kjth
        +mzmaWIuYPKftnkD/hAIuLyZpBrp6VYovGTy8bIMLX6fUXejwpTURiKZ
        -----END PRIVATE KEY-----
        """

    @Test("Every event that was answered 200 is pushed once after the service was killed and started again")
    func killed() async throws {
        let folder = TemporaryFolder()
        try writeFile(Self.pem.utf8, to: folder.path + "/apns.p8")
        let apns = try await APNsStandIn(
            key: P256SecretKey(pem: Array(Self.pem.utf8)).publicKey, keyID: "ABC123DEFG", team: "DEF123GHIJ",
            topics: ["com.example.wallet"])
        let port = try ClosedPort().port
        // Nobody listens where the first service looks for APNs, so that all events are still to be sent when it is killed.
        let nowhere = try ClosedPort()
        var service: BackgroundProcess? = try serve(folder, at: port, apns: "http://127.0.0.1:\(nowhere.port)")
        let client = try HTTPClient()
        try await reachable(port, client)
        for number in 1...20 {
            let body = #"{"event":"swap.update","data":{"id":"swap-\#(number)","status":"x"}}"#
            let token = String(repeating: "ab", count: 32)
            let url = try HTTPURL("http://127.0.0.1:\(port)/api/v1/notify?platform=ios&token=\(token)")
            #expect(try await client.send(HTTPRequest(.post, url, body: Array(body.utf8))).status == 200)
        }
        #expect(service != nil)
        // The last reference: SIGKILL.
        service = nil
        let second = try serve(folder, at: port, apns: try apns.url.text)
        try await eventually { apns.accepted.count >= 20 }
        let ids = apns.accepted.compactMap { $0.body["notification_payload"]?.string }
        #expect(Set(ids).count == 20)
        #expect(apns.accepted.count == 20)
        #expect(apns.refusals == [])
        withExtendedLifetime(second) {}
    }

    private func reachable(_ port: UInt16, _ client: HTTPClient) async throws {
        try await eventually {
            (try? await client.send(HTTPRequest(.get, HTTPURL("http://127.0.0.1:\(port)/robots.txt")))) != nil
        }
    }

    private func serve(_ folder: TemporaryFolder, at port: UInt16, apns: String) throws -> BackgroundProcess {
        try BackgroundProcess(
            RespondFixture.program("lightning-responder"),
            [
                "serve", "--listen", "127.0.0.1:\(port)", "--admin-listen", "127.0.0.1:0", "--data-directory",
                folder.path + "/data", "--push-apns-key-file", folder.path + "/apns.p8", "--push-apns-key-id",
                "ABC123DEFG", "--push-apns-team-id", "DEF123GHIJ", "--push-apns-topic", "com.example.wallet",
                "--push-apns-server", apns, "--push-apns-environment", "production",
            ], output: "/dev/null")
    }
}
#endif
