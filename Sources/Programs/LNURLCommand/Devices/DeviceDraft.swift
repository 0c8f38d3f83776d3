import Devices
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel

/// A registration before its owner has signed it.
struct DeviceDraft {
    let install: InstallID
    let platform: String
    let environment: String
    let token: String
    let key: PublicKey
    let secret: DeviceSecret

    /// The body that is sent, signed for a service.
    func body(signedBy owner: SecretKey, for audience: String) throws(ToolFault) -> JSONObject {
        let identity = "ln:\(owner.publicKey)"
        var body: JSONObject = [
            "app": "lnurl", "platform": .string(platform), "environment": .string(environment),
            "push_token": .string(token), "encryption_key": .string(key.hexadecimal),
            "secret_sha256": .string(Hexadecimal.encode(secret.hash)), "identities": [.string(identity)],
            "topics": [], "ts": .unsigned(UnixTime.now().seconds),
            // Read with the rest, before there is a signature.
            "proofs": [["identity": .string(identity), "sig": ""]],
        ]
        let statement = try rethrowing(DeviceStatement(JSONMembers(body), of: install), as: ToolFault.statement)
        let signature = try rethrowing(
            LightningMessage.sign(statement.text(for: audience), with: owner), as: ToolFault.noRandomness)
        body["proofs"] = [["identity": .string(identity), "sig": .string(signature)]]
        return body
    }
}

/// The secret of a device, in a file readable by its owner only.
struct DeviceSecretFile {
    let secret: DeviceSecret
    /// Whether the file does not exist yet.
    let isNew: Bool
    private let file: PrivateFile

    /// Reads the secret, or draws one when there is no file yet.
    init(at path: String) throws(ToolFault) {
        file = PrivateFile(path: path)
        isNew = !file.exists
        secret =
            isNew
            ? try rethrowing(DeviceSecret(random: SystemRandom.bytes), as: ToolFault.noRandomness)
            : try Self.secret(in: file)
    }

    /// Creates the file for a new secret, with mode 0600.
    func keep() throws(ToolFault) {
        guard isNew else { return }
        try file.create(line: secret.disclosed)
    }

    private static func secret(in file: PrivateFile) throws(ToolFault) -> DeviceSecret {
        let bytes = try file.secret(limit: 100)
        guard let secret = DeviceSecret(String(decoding: bytes, as: UTF8.self).trimmedLine) else { throw .deviceSecret }
        return secret
    }
}
