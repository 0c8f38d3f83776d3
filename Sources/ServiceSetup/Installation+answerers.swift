import Contracts
package import Registrations
package import ResponderCore

extension Installation {
    /// Who answers for each account, in the service and in `respond` alike.
    ///
    /// - Parameter devices: answers for the names of app users; nil when there are none.
    package func answerers(_ responder: Responder, devices: DeviceAnswerer? = nil) -> Answerers {
        Answerers(
            standard: responder,
            choice: devices.map { Self.choice(of: $0, responder.accounts) })
    }

    /// Accounts are known without a look into the ledger; whoever else is registered has a device.
    private static func choice(of devices: DeviceAnswerer, _ accounts: AccountDirectory) -> Answerers.Choice {
        { account throws(Refusal.Cause) in
            do throws(LedgerFault) {
                guard try await accounts.account(named: account) == nil else { return nil }
                return try await devices.answers(for: account) ? devices : nil
            } catch {
                throw .ledger(error)
            }
        }
    }
}
