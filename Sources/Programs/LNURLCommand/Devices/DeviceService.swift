import ArgumentParser
import Devices
import LightningCoding
import OutboundHTTP

struct DeviceOptions: ParsableArguments {
    @Argument(help: "Where devices reach the service: https://example.com")
    var service: String

    @Option(help: ArgumentHelp("The device's secret, in a file of mode 0600.", valueName: "file"))
    var secretFile: String

    func service(_ network: NetworkOptions) throws(ToolFault) -> DeviceService {
        try service(network, secret: SecretFile(deviceSecretIn: secretFile).existing())
    }

    /// The service; nil for the secret asks as nobody.
    func service(_ network: NetworkOptions, secret: DeviceSecret?) throws(ToolFault) -> DeviceService {
        let base = try Target.url(service)
        return DeviceService(base: base, service: try network.service(at: base), secret: secret)
    }
}

struct DeviceService {
    let base: HTTPURL
    let service: Service
    let secret: DeviceSecret?

    /// What comes of a request; empty for an answer without a body.
    func send(
        _ method: HTTPMethod, _ path: String, query: [(name: String, value: String)] = [], _ body: [UInt8] = []
    ) async throws(ToolFault) -> JSONObject {
        let path = base.appendingPath(path)
        let url = query.isEmpty ? path : path.appendingQuery(query)
        var headers: [HTTPField] = []
        if let secret {
            headers.append(
                try rethrowing(
                    HTTPField("Authorization", "Bearer \(secret.disclosed)", isSecret: true), as: ToolFault.deviceSecret
                ))
        }
        let response = try await service.send(method, body, headers: headers, to: url)
        try response.refuseRedirect()
        if response.status == 204 { return [:] }
        let json = (try? JSONValue(parsing: response.body))?.object
        guard response.status == 200 else {
            throw .refused(reason: json?["message"]?.string ?? "", status: response.status)
        }
        guard let json else { throw .notJSON(response) }
        return json
    }
}

extension String {
    var trimmedLine: String { String(decoding: utf8.trimmed, as: UTF8.self) }
}
