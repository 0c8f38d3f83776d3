import ArgumentParser

/// `lnurl offer`
struct OfferCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "offer",
        abstract: "Request the invoice of a BOLT12 offer over the Lightning network.",
        subcommands: [OfferRequest.self]
    )
}
