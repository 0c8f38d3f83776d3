public import Contracts
import LightningCoding

extension DeviceCentre {
    /// Adds a message, which is told to the owner's devices as the owner wants; nothing happens when it is known.
    @discardableResult
    public func tell(_ message: DeviceMessage.Content) async throws(CentreRefusal) -> DeviceMessage {
        let moment: UnixTime? =
            switch try await delivery(of: message) {
            case .alert(let notBefore): notBefore
            case .silent: clock()
            case .none: nil
            }
        return try await awaiting(await ledger.add(message, toldFrom: moment), as: CentreRefusal.ledger)
    }
}
