import Devices
import ResponderModel

extension MessageCenter {
    /// The devices that are woken now, as the service does it while the provider accepts everything.
    func wokenNow() async throws -> [Device] {
        var woken: [Device] = []
        for id in try await devicesToWake() {
            guard let device = try await deviceToWake(id) else { continue }
            try await noteWoken(id)
            woken.append(device)
        }
        return woken
    }
}
