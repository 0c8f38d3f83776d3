import LightningCoding

/// What the sender of a notification is told.
package enum PushAnswer: Hashable, Sendable {
    /// The provider has the message, or it is kept until it does.
    case taken
    /// The device no longer exists.
    case gone
    /// The token is none.
    case invalid
    /// The provider does not take messages as large as this one.
    case tooLarge
    case tooMany
    case replied([UInt8])
    /// The device cannot reply; the text is for the payer.
    case notAnswered(String)
    /// The device has not replied.
    case silent
    /// The message was not taken; the text is for the log.
    case failed(String)

    init(_ outcome: PushOutcome) {
        switch outcome {
        case .accepted: self = .taken
        case .gone: self = .gone
        case .parked(let reason), .refused(let reason), .later(_, let reason), .paused(_, let reason):
            self = .failed(reason)
        case .tooLarge: self = .tooLarge
        }
    }

    init(_ fault: NoRecipient) {
        switch fault {
        case .gone: self = .gone
        case .invalid: self = .invalid
        case .noProvider, .ledger: self = .failed(fault.reason)
        }
    }
}

extension PushAnswer {
    /// The status and the body of the response to the sender. Forwarders of invoice requests pass on what comes with 200 only.
    package var response: (status: Int, body: [UInt8]) {
        switch self {
        case .taken: (200, [])
        case .replied(let body): (200, body)
        case .notAnswered(let text): (200, JSONValue.object(["error": .string(text)]).serializedBytes())
        case .invalid: (400, [])
        case .gone: (410, [])
        case .tooLarge: (413, [])
        case .tooMany: (429, [])
        case .silent: (500, [])
        case .failed: (503, [])
        }
    }
}
