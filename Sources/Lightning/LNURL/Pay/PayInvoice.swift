public import LightningCoding

/// The second response of LNURL-pay (LUD-06): the invoice.
public struct PayInvoice: Hashable, Sendable {
    /// The BOLT11 invoice as text; not parsed here.
    public let pr: String
    /// The URL that tells whether it has been paid (LUD-21).
    public let verify: HTTPURL?
    /// Whether a wallet should forget the link (LUD-11).
    public let disposable: Bool
    /// The wallet's action after the payment (LUD-09, LUD-10).
    public let successAction: SuccessAction?

    /// Creates a response.
    public init(
        pr: String,
        verify: HTTPURL? = nil,
        disposable: Bool = false,
        successAction: SuccessAction? = nil
    ) {
        self.pr = pr
        self.verify = verify
        self.disposable = disposable
        self.successAction = successAction
    }

    /// The body.
    public var json: JSONValue { json(verify: verify?.text, disposable: disposable) }

    /// The body with another `verify`: the payer asks another service, which has asked us. `routes` is obsolete but still
    /// required; a missing action is omitted, since `null` breaks some readers.
    ///
    /// - Parameters:
    ///   - verify: the URL that tells whether it has been paid; nil omits it.
    ///   - disposable: nil omits it.
    public func json(verify: String?, disposable: Bool?) -> JSONValue {
        var object: JSONObject = ["pr": .string(pr), "routes": []]
        if let verify { object.append("verify", .string(verify)) }
        if let disposable { object.append("disposable", .bool(disposable)) }
        if let successAction { object.append("successAction", successAction.json) }
        return .object(object)
    }

    /// Parses a service's response. `disposable` is true by default (LUD-11).
    ///
    /// - Parameters:
    ///   - json: the body.
    ///   - callback: the URL of the request: an action's link must have the same host (LUD-09).
    public init(json: JSONValue, from callback: HTTPURL) throws(LNURLFault) {
        let answer = try ServiceResponse(response: json)
        pr = try answer.text("pr")
        guard !pr.isEmpty else { throw .missing(.pr) }
        verify = !answer.has("verify") ? nil : try answer.url(.verify)
        disposable = !answer.has("disposable") ? true : try answer.flag("disposable")
        guard let action = json["successAction"], !action.isNull else {
            successAction = nil
            return
        }
        do {
            let action = try SuccessAction(json: action)
            try action.requireHost(of: callback)
            successAction = action
        } catch {
            throw .successAction(error)
        }
    }
}
