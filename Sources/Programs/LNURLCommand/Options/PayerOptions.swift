import ArgumentParser
import LNURL
import LightningCoding
import LightningCrypto

/// What the payer tells about themselves (LUD-18).
struct PayerOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The payer's name.", valueName: "text"))
    var name: String?

    @Option(help: ArgumentHelp("The payer's e-mail address.", valueName: "address"))
    var email: String?

    @Option(help: ArgumentHelp("The payer's Lightning address.", valueName: "address"))
    var identifier: String?

    @Option(help: ArgumentHelp("A public key of the payer's, 33 bytes.", valueName: "hex"))
    var pubkey: String?

    @Option(
        help: ArgumentHelp("Sign the service's challenge with the secret key in this file (hex).", valueName: "file"))
    var authKeyFile: String?

    /// The payer data for a service that requests it: all mandatory fields, and none that it does not request.
    func payerData(for spec: PayerDataSpec?) throws(ToolFault) -> PayerData? {
        guard let spec else {
            guard given.isEmpty else { throw .payerDataNotAsked }
            return nil
        }
        let missing = spec.mandatory.filter { !given.contains($0) }.map(\.option) + spec.unknownMandatory
        guard missing.isEmpty else { throw .missingPayerData(missing) }
        guard given.isSubset(of: spec.requirements.keys) else { throw .payerDataNotAsked }
        return PayerData(
            name: name, pubkey: try publicKey(), identifier: identifier, email: email, auth: try auth(spec.k1))
    }

    private var given: Set<PayerDataSpec.Field> {
        let options: [(PayerDataSpec.Field, String?)] = [
            (.name, name), (.pubkey, pubkey), (.identifier, identifier), (.email, email), (.auth, authKeyFile),
        ]
        return Set(options.filter { $0.1?.isEmpty == false }.map(\.0))
    }

    private func publicKey() throws(ToolFault) -> PublicKey? {
        guard let pubkey else { return nil }
        return try rethrowing(PublicKey(hexadecimal: pubkey), as: ToolFault.publicKey)
    }

    private func auth(_ k1: Challenge?) throws(ToolFault) -> PayerAuth? {
        guard let authKeyFile, let k1 else { return nil }
        let text = try Streams.readText(authKeyFile)
        return try rethrowing(
            PayerAuth(answering: k1, with: SecretKey(Hexadecimal.decode(text))), as: ToolFault.authKey)
    }
}

extension PayerDataSpec.Field {
    var option: String {
        self == .auth ? "--auth-key-file" : "--" + rawValue
    }
}
