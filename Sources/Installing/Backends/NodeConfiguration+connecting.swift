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
    /// - Throws: when a file with a secret cannot be read.
    package func connect(
        as name: BackendName,
        by connector: NodeConnector
    ) throws(CommandFailure) -> any ReceiveBackend {
        do throws(CommandFailure) {
            let made = try connector.connect(kind)
            let node = if let made { made } else { try node() }
            return ConfiguredBackend(node, network: network, load: load, paths: paths)
        } catch {
            throw CommandFailure(error.status, error.reasons.map { "backend \(name): \($0)" })
        }
    }

    private func node() throws(CommandFailure) -> any ReceiveBackend {
        switch kind {
        case .coreLightningSocket, .coreLightningREST:
            throw CommandFailure(.configuration, "a Core Lightning node cannot be used by this command")
        case .lnd(let url, let macaroonFile, let certificateFile, let bolt12):
            return try Self.made { () throws(BackendFault) in
                try LNDBackend(
                    LNDConfiguration(
                        url: url, macaroonPath: macaroonFile, certificatePath: certificateFile,
                        answersOffersUnproven: bolt12))
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
        }
    }
}

extension NodeConfiguration {
    /// A node's own refusal of what was configured.
    package static func made(
        _ make: () throws(BackendFault) -> any ReceiveBackend
    ) throws(CommandFailure) -> any ReceiveBackend {
        do {
            return try make()
        } catch {
            throw CommandFailure(.configuration, "cannot be used as configured: \(error)")
        }
    }
}

/// Makes nodes of kinds that need more than a command which answers once may hold, such as SwiftNIO.
package struct NodeConnector: Sendable {
    /// The node; nil for a kind that needs nothing more.
    package let connect: @Sendable (NodeKind) throws(CommandFailure) -> (any ReceiveBackend)?

    /// Makes a connector.
    package init(_ connect: @escaping @Sendable (NodeKind) throws(CommandFailure) -> (any ReceiveBackend)?) {
        self.connect = connect
    }

    /// Makes none.
    package static let none = NodeConnector { _ in nil }
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
