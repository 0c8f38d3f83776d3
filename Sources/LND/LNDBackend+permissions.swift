import LightningCoding
import LightningCrypto
import OutboundHTTP
public import Contracts

extension LNDBackend {
    /// The permissions that the macaroon lacks, as named by `lncli bakemacaroon`. Each is tried with a call that
    /// changes nothing at the node: LND checks the macaroon first, and the requested hash is of no invoice.
    public func missingPermissions() async throws(BackendFault) -> [String] {
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
