import LNURL

extension CallbackFault {
    /// The text for the payer.
    var reason: String {
        switch self {
        case .bodyNotAnObject: "The body must be a JSON object"
        case .repeated(let parameter): "\(parameter.rawValue) is given more than once"
        case .malformed(let parameter): "\(parameter.rawValue) is of the wrong type"
        case .zero(let parameter): "\(parameter.rawValue) must not contain U+0000"
        case .amountMissing: "amount is missing; it is the number of millisatoshis to pay"
        case .amountNotDigits: "amount must be a whole number of millisatoshis, in digits only"
        case .amountZero: "amount must be at least 1"
        case .amountTooLarge: "amount is too large"
        }
    }
}
