/// The permissions that our calls need, as named by `lncli bakemacaroon` (`rpcserver.go`, `MainRPCServerPermissions`;
/// `lnrpc/invoicesrpc/invoices_server.go`, `macPermissions`).
enum Permission: String, CaseIterable, Sendable {
    case readInfo = "info:read"
    case readChannels = "offchain:read"
    case readInvoices = "invoices:read"
    case writeInvoices = "invoices:write"
}
