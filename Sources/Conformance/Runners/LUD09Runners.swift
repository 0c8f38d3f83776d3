import LNURL
import LightningCoding
import LightningCrypto

/// Parses a success action, and checks the host of its link.
struct SuccessActionRunner: LUDRunner {
    static let standard = "lud-09"
    static let subject = "success-action"

    func run(_ input: VectorInput) throws -> JSONObject {
        let action = try SuccessAction(json: input.value("action"))
        try action.requireHost(of: HTTPURL(input.string("callback")))
        return ["action": action.json]
    }
}

/// Encrypts a text with a preimage.
struct AESSealRunner: LUDRunner {
    static let standard = "lud-10"
    static let subject = "seal"

    func run(_ input: VectorInput) throws -> JSONObject {
        let action = try EncryptedAction.seal(
            input.string("plaintext"),
            description: ActionText(""),
            preimage: Preimage(input.bytes("preimage")),
            initialisationVector: input.bytes("iv")
        )
        let json = SuccessAction.aes(action).json
        return ["ciphertext": .text(json["ciphertext"]?.string), "iv": .text(json["iv"]?.string)]
    }
}

/// Decrypts a text with a preimage.
struct AESOpenRunner: LUDRunner {
    static let standard = "lud-10"
    static let subject = "open"

    func run(_ input: VectorInput) throws -> JSONObject {
        let json: JSONValue = [
            "tag": "aes", "description": "", "ciphertext": try input.value("ciphertext"), "iv": try input.value("iv"),
        ]
        guard case .aes(let action) = try SuccessAction(json: json) else {
            throw VectorInput.Fault(member: "ciphertext")
        }
        return ["plaintext": .string(try action.open(with: Preimage(input.bytes("preimage"))))]
    }
}

/// Checks whether a comment fits.
struct CommentRunner: VectorRunner {
    static let standard = "lud-12"
    static let subject = "comment"

    private struct TooLong: Error {}

    func run(_ input: VectorInput) throws -> JSONObject {
        let comment = try input.string("comment")
        guard Comment.fits(comment, allowed: Int(clamping: try input.unsigned("commentAllowed"))) else {
            throw TooLong()
        }
        return ["scalars": .integer(comment.unicodeScalars.count), "bytes": .integer(comment.utf8.count)]
    }

    func rule(of fault: any Error) -> String? {
        fault is TooLong ? "comment-too-long" : nil
    }
}
