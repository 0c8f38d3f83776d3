import ArgumentParser
import LightningCoding

extension Network {
    /// The network with that name.
    static func named(_ name: String) throws -> Network {
        guard let network = Network(rawValue: name) else {
            throw ValidationError("The networks are \(allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return network
    }
}
