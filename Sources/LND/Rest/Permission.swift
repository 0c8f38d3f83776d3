/// What a macaroon must allow for our calls, in the words of `lncli bakemacaroon`
/// (`rpcserver.go`, `MainRPCServerPermissions`; `lnrpc/invoicesrpc/invoices_server.go`, `macPermissions`).
enum Permission: String, CaseIterable, Sendable {
    case readInfo = "info:read"
    case readChannels = "offchain:read"
    case readInvoices = "invoices:read"
    case writeInvoices = "invoices:write"
}
