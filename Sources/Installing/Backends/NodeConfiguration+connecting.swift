import CoreLightning
package import EmbeddedNode
import HookBackend
import LND
import LNURL
import LightningCrypto
import NodeCalls
import Phoenixd
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
                try CoreLightningBackend(
                    CoreLightningConfiguration(
                        door: .socket(path: path), offers: offers.whose, limits: CommandLimits(behind: load)))
            }
        case .coreLightningREST(let url, let runeFile, let certificateFile, let offers):
            return try Self.made { () throws(BackendFault) in
                try CoreLightningBackend(
                    CoreLightningConfiguration(
                        door: .rest(url: url, runePath: runeFile, certificatePath: certificateFile),
                        offers: offers.whose, limits: CommandLimits(behind: load)))
            }
        case .lnd(let url, let macaroonFile, let certificateFile, let bolt12):
            return try Self.made { () throws(BackendFault) in
                try LNDBackend(
                    LNDConfiguration(
                        url: url, macaroonPath: macaroonFile, certificatePath: certificateFile,
                        answersOffers: bolt12, limits: CallLimits(behind: load)))
            }
        case .phoenixd(let url, let passwordFile, let webhookSecretFile, let offersAccount, let maximumWithPurchase):
            return try Self.made { () throws(BackendFault) in
                try PhoenixdBackend(
                    PhoenixdConfiguration(
                        url: url, passwordPath: passwordFile, webhookSecretPath: webhookSecretFile,
                        maximumWithPurchase: maximumWithPurchase, offerLabel: offersAccount?.text,
                        limits: CallLimits(behind: load)))
            }
        case .hookService(let url, let tokenFile, let certificateFile, let webhookSecretFile):
            return try Self.made { () throws(BackendFault) in
                try HookedNode(
                    url, tokenPath: tokenFile, certificateAuthorities: certificateFile,
                    webhookSecretPath: webhookSecretFile, limits: CallLimits(behind: load))
            }
        case .hookProgram(let command):
            do {
                return try HookedNode(
                    running: command, environment: ProcessEnvironment.forPrograms, limits: CallLimits(behind: load))
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
            throw CommandFailure(.configuration, "cannot be used as configured: \(error.reason)")
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
