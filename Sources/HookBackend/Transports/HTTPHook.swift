import LightningCoding
import LightningCrypto
import OutboundHTTP
import Receiving

/// A hook that is a service: `POST {url}/{method}` with the parameters as a JSON object.
struct HTTPHook: HookTransport {
    private let client: HTTPClient
    private let url: HTTPURL
    private let token: SecretBytes?

    init(_ url: HTTPURL, token: SecretBytes?, certificateAuthorities: String?) throws(HookFault) {
        var configuration = HTTPClient.Configuration()
        configuration.certificateAuthorities = certificateAuthorities
        do {
            client = try HTTPClient(configuration)
        } catch {
            throw .client
        }
        self.url = url
        self.token = token
    }

    func call(
        _ method: HookMethod,
        _ parameters: JSONObject,
        within time: Duration
    ) async throws(BackendFault) -> JSONValue {
        let response: HTTPResponse
        do {
            response = try await client.send(request(method, parameters, within: time))
        } catch let fault as OutboundFault {
            throw BackendFault(fault)
        } catch {
            throw .refused("the hook's URL or token cannot be sent")
        }
        let body = try? JSONValue(parsing: response.body)
        guard response.status == 200 else { throw BackendFault(status: response.status, body) }
        guard let body else { throw .malformedAnswer("\(method): no JSON") }
        return body
    }

    func close() { client.close() }

    private func request(
        _ method: HookMethod,
        _ parameters: JSONObject,
        within time: Duration
    ) throws -> HTTPRequest {
        let path = url.path.hasSuffix("/") ? url.text : url.text + "/"
        var headers = [HTTPField.acceptJSON, .jsonContent]
        if let token {
            let text = token.withBytes { String(decoding: $0, as: UTF8.self) }
            headers.append(try HTTPField("Authorization", "Bearer \(text)", isSecret: true))
        }
        return HTTPRequest(
            .post, try HTTPURL(path + method.rawValue), headers: headers,
            body: JSONValue.object(parameters).serializedBytes(), timeout: time
        )
    }
}

extension BackendFault {
    fileprivate init(_ fault: OutboundFault) {
        self =
            switch fault {
            case .timeout: .timedOut
            case .overloaded: .overloaded
            case .malformedResponse, .headersTooLarge, .bodyTooLarge: .malformedAnswer("\(fault)")
            default: .unreachable("\(fault)")
            }
    }

    /// An answer with another status than 200: the hook's own error, or what a proxy in between says.
    fileprivate init(status: Int, _ body: JSONValue?) {
        if let error = body?["error"] {
            self.init(hookError: error)
        } else if status >= 500 || status == 429 {
            self = .unreachable("status \(status)")
        } else {
            self = .refused("status \(status)")
        }
    }
}
