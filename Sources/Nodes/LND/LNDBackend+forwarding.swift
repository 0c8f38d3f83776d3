import LightningCoding
package import LightningCrypto
import OutboundHTTP
package import ResponderModel

extension LNDBackend: ForwardingNode {
    package var forwarding: (any ForwardingNode)? { self }

    /// The open channels with a peer, by `ListChannels`. None is active while the peer is not connected.
    package func forwardingPeer(_ key: PublicKey) async throws(BackendFault) -> ForwardingPeer? {
        let answer = try await ask { client throws(LNDFault) in
            try await client.call(
                .get, "/v1/channels", query: [("peer", Base64.encode(key.bytes))], needing: .readChannels)
        }
        var channels: [ForwardingPeer.Channel] = []
        for channel in try answer.elements("channels")
        where try channel.parsed("remote_pubkey", { try PublicKey(hexadecimal: $0) }) == key {
            channels.append(
                ForwardingPeer.Channel(
                    isEnabled: try channel.flag("active"), sendable: try LNDChannel.spendable(by: .own, channel)))
        }
        guard !channels.isEmpty else { return nil }
        return ForwardingPeer(isConnected: channels.contains(where: \.isEnabled), channels: channels)
    }
}

extension LNDBackend {
    /// The permissions that the macaroon lacks, as named by `lncli bakemacaroon`. Each is tried with a call that
    /// changes nothing at the node: LND checks the macaroon first, and the requested hash is of no invoice.
    package func missingPermissions() async throws(BackendFault) -> [String] {
        var missing: [String] = []
        for permission in Permission.allCases {
            do throws(LNDFault) {
                try await probe(permission)
            } catch {
                switch error {
                case .refused(let error, _) where error.isPermissionDenied: missing.append(permission.rawValue)
                case .refused(let refusal, _) where refusal.isNotReady || refusal.isOfMacaroon:
                    throw BackendFault(error)
                case .refused: continue
                case .backend(let fault): throw fault
                }
            }
        }
        return missing
    }

    /// The fault that lists all missing permissions.
    func denial() async -> BackendFault {
        do throws(BackendFault) {
            return .refused(
                "permission denied: the macaroon lacks " + (try await missingPermissions()).joined(separator: ", "))
        } catch {
            return error
        }
    }

    private func probe(_ permission: Permission) async throws(LNDFault) {
        let nothing = [UInt8](repeating: 0, count: PaymentHash.byteCount)
        switch permission {
        case .readInfo:
            _ = try await client.call(.get, "/v1/getinfo", needing: permission)
        case .readChannels:
            _ = try await client.call(.get, "/v1/balance/channels", needing: permission)
        case .readInvoices:
            _ = try await client.call(.get, "/v1/invoice/\(Hexadecimal.encode(nothing))", needing: permission)
        case .writeInvoices:
            let body: JSONValue = ["payment_hash": .string(Base64.encode(nothing))]
            _ = try await client.call(.post, "/v2/invoices/cancel", body: body, needing: permission)
        }
    }
}

/// The permissions that our calls need, as named by `lncli bakemacaroon` (`rpcserver.go`, `MainRPCServerPermissions`;
/// `lnrpc/invoicesrpc/invoices_server.go`, `macPermissions`).
enum Permission: String, CaseIterable, Sendable {
    case readInfo = "info:read"
    case readChannels = "offchain:read"
    case readInvoices = "invoices:read"
    case writeInvoices = "invoices:write"
}
