import LNURL
import LightningCoding
package import ResponderModel

/// An answer to a wallet, in the words of breez-lnurl, with a status of HTTP.
package struct RegistrationAnswer: Sendable {
    package let status: Int
    /// nil for an answer without a body.
    package private(set) var content: (type: String, bytes: [UInt8])?
    package private(set) var retryAfter: UInt64?
    /// Why a statement was refused, for the operator.
    package private(set) var cause: String?
    /// Something on our side failed.
    package private(set) var fault: LedgerFault?
    /// Whether a registration was changed, other than renewed.
    package private(set) var changes = false

    private init(_ status: Int) {
        self.status = status
    }

    /// Nothing, with status 200.
    package static let done = RegistrationAnswer(200)

    /// JSON with status 200.
    static func json(_ value: JSONValue) -> RegistrationAnswer {
        var answer = done
        answer.content = ("application/json", value.serializedBytes())
        return answer
    }

    /// A refusal that says nothing.
    package static func empty(_ status: Int) -> RegistrationAnswer { RegistrationAnswer(status) }

    /// A line of text: an error.
    package static func text(
        _ text: String, _ status: Int, retryAfter: UInt64? = nil, cause: String? = nil
    ) -> RegistrationAnswer {
        var answer = RegistrationAnswer(status)
        answer.content = ("text/plain; charset=utf-8", Array((text + "\n").utf8))
        answer.retryAfter = retryAfter
        answer.cause = cause
        return answer
    }

    /// The same, to an order that had that effect on the registration of its key.
    func changing(_ former: Registration?, to present: Registration?) -> RegistrationAnswer {
        var answer = self
        answer.changes = former?.contents != present?.contents
        return answer
    }

    package static func failed(_ fault: LedgerFault) -> RegistrationAnswer {
        var answer = RegistrationAnswer(500)
        answer.fault = fault
        return answer
    }
}

extension Registration {
    /// What its wallet has said.
    fileprivate var contents: [String?] { [name?.text, webhook?.text, offer] }
}
