import CoreLightning
package import EmbeddedNode
import HookBackend
import LND
import LNURL
package import LightningCrypto
import Phoenixd
import PrivateFiles
package import Receiving
import Responding

extension NodeConfiguration {
    /// The node behind its configuration. Nothing is asked of it yet: it may be started later than this.
    ///
    /// - Parameter embedded: the embedded node, which lives in this process: calls to it neither wait nor fail to arrive.
    /// - Throws: when a file with a secret cannot be read.
    package func connect(
        as name: BackendName, embedded: EmbeddedBackend?
    ) throws(CommandFailure) -> any ReceiveBackend {
        if kind == .embedded, let embedded { return embedded }
        do throws(CommandFailure) {
            return ConfiguredBackend(try node(), network: network, load: load, paths: paths)
        } catch {
            throw CommandFailure(error.status, error.reasons.map { "backend \(name): \($0)" })
        }
    }

    private func node() throws(CommandFailure) -> any ReceiveBackend {
        switch kind {
        case .coreLightningSocket(let path, let offers):
            return try Self.made { () throws(BackendFault) in
                try CoreLightningBackend(CoreLightningConfiguration(door: .socket(path: path), offers: offers.whose))
            }
        case .coreLightningREST(let url, let runeFile, let certificateFile, let offers):
            return try Self.made { () throws(BackendFault) in
                try CoreLightningBackend(
                    CoreLightningConfiguration(
                        door: .rest(url: url, runePath: runeFile, certificatePath: certificateFile),
                        offers: offers.whose))
            }
        case .lnd(let url, let macaroonFile, let certificateFile, let bolt12):
            return try Self.made { () throws(BackendFault) in
                try LNDBackend(
                    LNDConfiguration(
                        url: url, macaroonPath: macaroonFile, certificatePath: certificateFile,
                        answersOffers: bolt12))
            }
        case .phoenixd(let url, let passwordFile, let webhookSecretFile, let offersAccount):
            return try Self.made { () throws(BackendFault) in
                try PhoenixdBackend(
                    PhoenixdConfiguration(
                        url: url, passwordPath: passwordFile, webhookSecretPath: webhookSecretFile,
                        offerLabel: offersAccount?.text))
            }
        case .hookService(let url, let tokenFile, let certificateFile, let webhookSecretFile):
            let token = try tokenFile.map(SecretFile.read)
            let secret = try webhookSecretFile.map(SecretFile.read)
            do {
                return try HookedNode(
                    url, token: token, certificateAuthorities: certificateFile, webhookSecret: secret)
            } catch {
                throw CommandFailure(.unavailable, "no HTTP client can be made")
            }
        case .hookProgram(let command):
            do {
                return try HookedNode(running: command, environment: ProcessEnvironment.forPrograms)
            } catch {
                throw CommandFailure(.configuration, "no program is named")
            }
        case .embedded: throw CommandFailure(.configuration, "the embedded node was not started")
        }
    }
}

extension NodeConfiguration {
    /// A node's own refusal of what was configured.
    private static func made(
        _ make: () throws(BackendFault) -> any ReceiveBackend
    ) throws(CommandFailure) -> any ReceiveBackend {
        do {
            return try make()
        } catch {
            throw CommandFailure(.configuration, "cannot be used as configured: \(error)")
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

/// A secret in a file of its own, which nobody else may open.
package enum SecretFile {
    private static let limit = 4_096

    /// The secret, without the line end behind it.
    package static func read(_ path: String) throws(CommandFailure) -> SecretBytes {
        let contents: [UInt8]
        do {
            contents = try PrivateFile(path: path).contents(limit: limit)
        } catch {
            throw CommandFailure(error, at: path)
        }
        let secret = contents.last == UInt8(ascii: "\n") ? contents.dropLast() : contents[...]
        guard !secret.isEmpty else { throw CommandFailure(.data, "\(path): is empty") }
        return SecretBytes(secret)
    }
}
