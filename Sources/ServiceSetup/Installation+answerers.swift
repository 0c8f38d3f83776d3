package import ResponderCore

extension Installation {
    /// Who answers for each account, in the service and in `respond` alike.
    package func answerers(_ responder: Responder) -> Answerers {
        Answerers(standard: responder)
    }
}
