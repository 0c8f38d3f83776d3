import LoopbackServer
import OutboundHTTP
import Registrations
import ResponderCore
import ResponderModel
import Testing

@Suite("Posting to a webhook", .timeLimit(.minutes(5)))
struct WebhookPosterTests {
    @Test(
        "A name that has another address when it is looked up again is checked again: a private one is not connected to",
        arguments: ["10.0.0.1", "169.254.169.254", "192.168.1.1", "100.64.0.1", "fd00::1"])
    func rebinding(address: String) async throws {
        let server = try LoopbackServer(raw: { connection in
            if connection.readRequest() != nil { _ = connection.write(LoopbackAnswer("").bytes) }
        })
        let name = "rebinding-\(server.port).example"
        ChangingNames.set(name, to: ["127.0.0.1", address, "127.0.0.1"])
        let webhook = try WebhookURL("http://\(name):\(server.port)/")
        func post() async -> Result<Int, OutboundFault> {
            do throws(OutboundFault) {
                // With a client of its own, as after the minute for which one keeps an address.
                let poster = try WebhookPoster(ReplyPolicy(allowsLoopback: true))
                return .success(try await poster.post([], to: webhook, within: .seconds(10), wantsBody: false).status)
            } catch {
                return .failure(error)
            }
        }
        #expect(await post() == .success(200))
        #expect(await post() == .failure(.refusedAddress))
        #expect(server.connections == 1)
        #expect(await post() == .success(200))
    }

    @Test("The first address counts, whatever the name server says later, as long as the client keeps it")
    func kept() async throws {
        let server = try LoopbackServer(raw: { connection in
            if connection.readRequest() != nil { _ = connection.write(LoopbackAnswer("").bytes) }
        })
        let name = "kept-\(server.port).example"
        ChangingNames.set(name, to: ["127.0.0.1", "10.0.0.1"])
        let poster = try WebhookPoster(ReplyPolicy(allowsLoopback: true))
        let webhook = try WebhookURL("http://\(name):\(server.port)/")
        for count in 1...2 {
            let response = try await poster.post([], to: webhook, within: .seconds(10), wantsBody: false)
            #expect(response.status == 200 && server.connections == count)
        }
    }
}
