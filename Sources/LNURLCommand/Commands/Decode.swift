import ArgumentParser
import LNURL
import LightningCoding

/// `lnurl decode`
struct Decode: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say what a text holds, without asking anybody.",
        discussion: """
            EXAMPLES
              lnurl decode alice+rent@example.com
              lnurl decode 'https://example.com/gift?id=1&lightning=LNURL1…'
              echo lightning:lnurl1… | lnurl decode - --json
            """
    )

    @Argument(help: "An address, LNURL, URL or invoice, or \"-\" for standard input.")
    var text: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await output.print {
            let target = try Target.read(text)
            if case .bolt11(let invoice) = target {
                var outcome = try DecodeInvoice.outcome(of: invoice, at: .now())
                outcome.json = Self.object(kind: target, with: outcome.json)
                return outcome
            }
            guard let url = target.url else { throw ToolFault.notAskable }
            return Self.outcome(of: target, at: url)
        }
    }

    private static func outcome(of target: LNURLTarget, at url: HTTPURL) -> Outcome {
        let purpose = target.purpose
        let lnurl = EncodedURL.encode(url)
        let schemeText = (purpose ?? .pay).text(for: url)
        var outcome = Outcome()
        outcome.page.add(title: target.title)
        if case .address(let address) = target {
            outcome.page.add("name", address.name)
            outcome.page.add("tag", address.tag)
            outcome.page.add("domain", address.domain)
        }
        outcome.page.add("purpose", purpose?.explanation ?? "known once it is asked: lnurl info")
        outcome.page.add("URL", url.text)
        outcome.page.add("LNURL", lnurl)
        outcome.page.add("LUD-17", schemeText)
        outcome.json = object(
            kind: target,
            with: [
                "url": .string(url.text), "purpose": purpose.map { .string($0.tag) } ?? .null,
                "lnurl": .string(lnurl), "lud17": schemeText.map { .string($0) } ?? .null,
            ])
        if case .address(let address) = target {
            outcome.json.append("name", .string(address.name))
            outcome.json.append("tag", address.tag.map { .string($0) } ?? .null)
            outcome.json.append("domain", .string(address.domain))
        }
        return outcome
    }

    private static func object(kind target: LNURLTarget, with members: JSONObject) -> JSONObject {
        var object: JSONObject = ["kind": .string(target.kind)]
        for member in members.members { object.append(member.key, member.value) }
        return object
    }
}

extension LNURLTarget {
    /// What the text is, for programs.
    fileprivate var kind: String {
        switch self {
        case .address: "address"
        case .encoded: "lnurl"
        case .scheme: "lud17"
        case .web: "url"
        case .bolt11: "bolt11"
        }
    }

    fileprivate var title: String {
        switch self {
        case .address(let address): "Lightning address \(address.text)"
        case .encoded: "LNURL (LUD-01)"
        case .scheme(let scheme, _): "\(scheme.rawValue):// (LUD-17)"
        case .web: "URL"
        case .bolt11: "BOLT11 invoice"
        }
    }
}
