import CoreLightning
import Installing
import LightningCrypto
import Receiving

extension NodeConnector {
    /// Makes nodes of every kind.
    static let everyKind = NodeConnector { kind throws(CommandFailure) in
        switch kind {
        case .coreLightningSocket(let path, let offers):
            return try NodeConfiguration.made { () throws(BackendFault) in
                try CoreLightningBackend(CoreLightningConfiguration(door: .socket(path: path), offers: offers.whose))
            }
        case .coreLightningREST(let url, let runeFile, let certificateFile, let offers):
            let rune = try SecretFile.read(runeFile).withBytes { String(decoding: $0, as: UTF8.self) }
            return try NodeConfiguration.made { () throws(BackendFault) in
                try CoreLightningBackend(
                    CoreLightningConfiguration(
                        door: .rest(url: url, rune: rune, certificates: certificateFile), offers: offers.whose))
            }
        default: return nil
        }
    }
}

extension NodeOffers {
    fileprivate var whose: CoreLightningConfiguration.Offers {
        switch self {
        case .built: .builtHere
        case .own: .ownOffers
        }
    }
}

extension Installation {
    /// Opens the installation for the service and makes what is missing, with nodes of every kind.
    static func openToServe(_ configuration: ServiceConfiguration) async throws(CommandFailure) -> Installation {
        try await openToServe(configuration, connecting: .everyKind)
    }

    /// Opens the installation for a command and makes what is missing, with nodes of every kind.
    static func openOrMake(_ configuration: ServiceConfiguration) async throws(CommandFailure) -> Installation {
        try await openOrMake(configuration, connecting: .everyKind)
    }

    /// Opens an installation that is there, with nodes of every kind.
    static func open(_ configuration: ServiceConfiguration) async throws(CommandFailure) -> Installation {
        try await open(configuration, connecting: .everyKind)
    }

    /// Opens an installation of which nothing is missing, with nodes of every kind.
    static func openComplete(_ configuration: ServiceConfiguration) async throws(CommandFailure) -> Installation {
        try await openComplete(configuration, connecting: .everyKind)
    }
}
