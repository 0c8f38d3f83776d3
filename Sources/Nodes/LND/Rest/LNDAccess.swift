import LightningCoding
import OutboundHTTP
import Platform
import ResponderModel

/// A client that pins the node's key, and the macaroon header.
struct LNDAccess: Sendable {
    let client: HTTPClient
    let key: PinnedKey?
    let macaroon: HTTPField

    init(_ configuration: LNDConfiguration) throws(BackendFault) {
        macaroon = try Self.macaroon(at: configuration.macaroonPath)
        key = try configuration.certificatePath.map { path throws(BackendFault) in try Self.key(at: path) }
        var settings = HTTPClient.Configuration(configuration.limits)
        settings.pinnedKey = key
        client = try rethrowing(HTTPClient(settings)) { (fault: OutboundFault) in BackendFault(fault) }
    }

    /// The header field `Grpc-Metadata-macaroon`, in hexadecimal (`docs/macaroons.md`).
    private static func macaroon(at path: String) throws(BackendFault) -> HTTPField {
        let file = SecretFile("macaroon", path: path)
        let text = try file.text()
        let digits = String(decoding: text, as: UTF8.self)
        // A binary macaroon (version 2) begins with byte 2, which is not a digit; in hexadecimal it begins with "02".
        let isText = (try? Hexadecimal.decode(digits)) != nil
        do {
            let value = isText ? digits.lowercased() : Hexadecimal.encode(try file.bytes())
            return try HTTPField("Grpc-Metadata-macaroon", value, isSecret: true)
        } catch let fault as BackendFault {
            throw fault
        } catch {
            throw .refused("the macaroon file \(path) holds no macaroon")
        }
    }

    private static func key(at path: String) throws(BackendFault) -> PinnedKey {
        let contents: [UInt8]?
        do {
            contents = try PrivateFile(path: path).contents(limit: 64 << 10, isSecret: false)
        } catch PrivateFileFault.notFound {
            throw .refused("the certificate file \(path): no such file")
        } catch {
            contents = nil
        }
        guard let key = contents.flatMap({ PinnedKey(certificate: $0) }) else {
            throw .refused("the certificate file \(path) holds no certificate that can be read")
        }
        return key
    }
}
