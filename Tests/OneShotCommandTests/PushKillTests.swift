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

@Suite("Killing the service that pushes", .timeLimit(.minutes(5)))
struct PushKillTests {
    @Test("Every event that was answered 200 is pushed once after the service was killed and started again")
    func killed() async throws {
        let folder = TemporaryFolder()
        try writeFile(PublishedKeys.p256.utf8, to: folder.path + "/vapid.pem")
        let pushService = try WebPushStandIn(
            subscriber: P256SecretKey([UInt8](repeating: 3, count: 32)), secret: [UInt8](repeating: 7, count: 16),
            senderKey: Base64URL.encode(P256SecretKey(pem: Array(PublishedKeys.p256.utf8)).publicKey.point))
        // It takes nothing from the first service, so that all events are still to be sent when that is killed.
        for _ in 1...20 { pushService.script(503) }
        let port = try ClosedPort().port
        var service: BackgroundProcess? = try serve(folder, at: port)
        let client = try HTTPClient()
        try await reachable(port, client)
        for number in 1...20 {
            let body = #"{"event":"swap.update","data":{"id":"swap-\#(number)","status":"x"}}"#
            let url = try HTTPURL(
                "http://127.0.0.1:\(port)/api/v1/notify?platform=web&token=\(pushService.token(number))")
            #expect(try await client.send(HTTPRequest(.post, url, body: Array(body.utf8))).status == 200)
        }
        #expect(service != nil)
        // The last reference: SIGKILL.
        service = nil
        let second = try serve(folder, at: port)
        try await eventually { pushService.messages.count >= 20 }
        #expect(Set(pushService.messages.map(\.text)).count == 20)
        #expect(pushService.messages.count == 20)
        #expect(pushService.refusals == [])
        withExtendedLifetime(second) {}
    }

    private func reachable(_ port: UInt16, _ client: HTTPClient) async throws {
        try await eventually {
            (try? await client.send(HTTPRequest(.get, HTTPURL("http://127.0.0.1:\(port)/robots.txt")))) != nil
        }
    }

    private func serve(_ folder: TemporaryFolder, at port: UInt16) throws -> BackgroundProcess {
        try BackgroundProcess(
            RespondFixture.program("lightning-responder"),
            [
                "serve", "--listen", "127.0.0.1:\(port)", "--admin-listen", "127.0.0.1:0", "--data-directory",
                folder.path + "/data", "--push-vapid-key-file", folder.path + "/vapid.pem", "--push-vapid-contact",
                "mailto:push@example.com", "--push-allow-loopback",
            ], output: "/dev/null")
    }
}
#endif
