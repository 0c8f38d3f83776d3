import LightningCoding
public import Contracts

extension CoreLightningBackend {
    /// The commands that the rune does not allow. Each is tried in a way that changes nothing at the node.
    public func missingPermissions() async throws(BackendFault) -> [String] {
        guard case .rest = configuration.transport else { return [] }
        var missing: [String] = []
        for (method, parameters) in probes {
            do throws(CommandFault) {
                _ = try await perform(method, parameters)
            } catch {
                switch error {
                case .notPermitted: missing.append(method)
                case .refused: continue
                default: throw BackendFault(error)
                }
            }
        }
        return missing
    }

    /// The rune is checked before the parameters: an allowed command fails because its required parameters are missing.
    private var probes: [(String, JSONObject)] {
        let nothing = String(repeating: "0", count: 64)
        let always: [(String, JSONObject)] = [
            ("getinfo", [:]),
            ("listpeerchannels", ["id": .string("02" + nothing)]),
            ("invoice", [:]),
            ("listinvoices", ["payment_hash": .string(nothing)]),
            ("waitanyinvoice", ["lastpay_index": .unsigned(UInt64(Int64.max)), "timeout": 0]),
            ("delinvoice", [:]),
        ]
        switch configuration.offers {
        case .builtHere: return always
        case .ownOffers:
            return always + [
                ("offer", [:]), ("listoffers", ["offer_id": .string(nothing)]), ("disableoffer", [:]),
            ]
        }
    }
}
