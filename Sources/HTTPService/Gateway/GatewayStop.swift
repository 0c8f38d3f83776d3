import Registrations
import ServiceLifecycle

/// Tells the payers who wait for a device that the service stops: their requests would end with it.
struct GatewayStop: Service {
    let channel: ReplyChannel

    func run() async throws {
        try? await gracefulShutdown()
        channel.stop()
    }
}
