import LightningCoding
import LightningCrypto
import OutboundHTTP
import Platform
import ResponderModel

struct RestAddress: Sendable {
    let url: HTTPURL
    private let rune: SecretFile
    private let certificatePath: String?

    init(_ node: NodeURL, runePath: String, certificatePath: String?) {
        url = node.url
        rune = SecretFile("rune", path: runePath)
        self.certificatePath = certificatePath
    }

    func open(_ limits: CommandLimits) throws(CommandFault) -> RestAccess {
        let keys = try keys()
        var configuration = HTTPClient.Configuration()
        configuration.certificateAuthorities = certificatePath
        configuration.connectTimeout = limits.connectTimeout
        configuration.maximumBodyBytes = limits.maximumAnswerBytes
        configuration.maximumConcurrency = limits.maximumPending
        configuration.maximumWaiting = limits.maximumPending
        let client = try rethrowing(HTTPClient(configuration)) { (fault: OutboundFault) in CommandFault(fault) }
        return RestAccess(client: client, keys: keys)
    }

    func keys() throws(CommandFault) -> RestAccess.Keys {
        let text = String(
            decoding: try rethrowing(rune.text()) { (fault: BackendFault) in CommandFault(fault) }, as: UTF8.self)
        guard let field = try? HTTPField("Rune", text, isSecret: true) else {
            throw .notPermitted("the rune file \(rune.path) holds no rune")
        }
        return RestAccess.Keys(rune: field, certificates: try certificates())
    }

    private func certificates() throws(CommandFault) -> [UInt8] {
        guard let certificatePath else { return [] }
        do {
            return try PrivateFile(path: certificatePath).contents(limit: 1 << 20, isSecret: false)
        } catch PrivateFileFault.notFound {
            throw .notPermitted("the certificate file \(certificatePath): no such file")
        } catch {
            throw .notPermitted("the certificate file \(certificatePath) cannot be read")
        }
    }
}

/// A client with the certificate and rune that the files held when it was made.
struct RestAccess: Sendable {
    struct Keys: Equatable, Sendable {
        let rune: HTTPField
        let certificates: [UInt8]
    }

    let client: HTTPClient
    let keys: Keys
}
