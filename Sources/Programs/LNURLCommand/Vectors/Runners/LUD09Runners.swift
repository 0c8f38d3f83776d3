import LNURL
import LightningCoding
import LightningCrypto

extension VectorRunner {
    static let lud09 = [
        // Parses a success action, and checks the host of its link.
        VectorRunner("lud-09", "success-action") { input in
            let action = try SuccessAction(json: input.value("action"))
            try action.requireHost(of: HTTPURL(input.text("callback")))
            return ["action": action.json]
        },
        // Encrypts a text with a preimage.
        VectorRunner("lud-10", "seal") { input in
            let action = try EncryptedAction.seal(
                input.text("plaintext"),
                description: ActionText(""),
                preimage: Preimage(input.bytes("preimage")),
                initializationVector: input.bytes("iv")
            )
            let json = SuccessAction.aes(action).json
            return ["ciphertext": .text(json["ciphertext"]?.string), "iv": .text(json["iv"]?.string)]
        },
        // Decrypts a text with a preimage.
        VectorRunner("lud-10", "open") { input in
            let json: JSONValue = [
                "tag": "aes", "description": "", "ciphertext": try input.value("ciphertext"),
                "iv": try input.value("iv"),
            ]
            guard case .aes(let action) = try SuccessAction(json: json) else {
                throw InputFault(member: "ciphertext")
            }
            return ["plaintext": .string(try action.open(with: Preimage(input.bytes("preimage"))))]
        },
        // Checks whether a comment fits.
        VectorRunner("lud-12", "comment") { input in
            let comment = try input.text("comment")
            guard Comment.fits(comment, allowed: Int(clamping: try input.unsigned("commentAllowed"))) else {
                throw BrokenRule(name: "comment-too-long")
            }
            return ["scalars": .integer(comment.unicodeScalars.count), "bytes": .integer(comment.utf8.count)]
        },
    ]
}
