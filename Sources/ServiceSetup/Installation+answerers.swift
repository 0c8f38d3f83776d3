package import Registrations
package import ResponderCore

extension Installation {
    /// Who answers for each account, in the service and in `respond` alike.
    ///
    /// - Parameter devices: answers for the names of app users; nil when there are none.
    package func answerers(_ responder: Responder, devices: DeviceAnswerer? = nil) -> Answerers {
        Answerers(standard: responder, choice: devices?.choice)
    }
}
