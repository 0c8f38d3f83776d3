import ArgumentParser

/// `lnurl invoice-request`
struct RequestInvoice: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invoice-request",
        abstract: "Request the invoice of a BOLT12 offer.",
        subcommands: [Create.self, Send.self]
    )
}
