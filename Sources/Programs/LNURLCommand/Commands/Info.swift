import ArgumentParser
import Doctor
import LNURL
import LightningCoding
import OutboundHTTP

struct Info: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ask a service what may be paid, and check its answer.",
        discussion: """
            EXAMPLES
              lnurl info alice@example.com
              lnurl info LNURL1… --trace
              lnurl info alice@juhaav….onion --tor
            """
    )

    @Argument(help: "An address, LNURL or URL, or \"-\" for standard input.")
    var target: String

    @OptionGroup var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await output.print {
            let target = try Target.read(target)
            guard let url = target.url else { throw ToolFault.notAskable }
            // Such a URL contains its challenge: nothing may be requested before a user agrees.
            if target.purpose == .auth { throw ToolFault.notForPaying(.auth) }
            let answer = try await network.service(at: url).get(url)
            if let purpose = LNURLScheme.allCases.first(where: { $0.tag == answer.json["tag"]?.string }),
                purpose != .pay
            {
                return Self.outcome(of: answer.json, for: purpose, at: url)
            }
            return try Self.outcome(of: answer, from: target, at: url)
        }
    }

    private static func outcome(
        of answer: ServiceAnswer, from target: LNURLTarget, at url: HTTPURL
    ) throws(ToolFault) -> Outcome {
        let (request, metadata) = try answer.payRequest()
        var evidence = try Evidence(of: target)
        evidence.record(.info, at: url, answer.response)
        let checks = evidence.checks(of: .info)
        var outcome = Outcome(status: checks.haveFailed ? .brokenRule : .ok)
        show(request, metadata, title: target.title(at: url), on: &outcome.page)
        outcome.page.add("zaps", zaps(answer.json))
        outcome.page.add(summaryOf: checks)
        outcome.json = ["url": .string(url.text), "httpStatus": .integer(answer.response.status)]
        for member in request.json.object?.members ?? [] { outcome.json.append(member.key, member.value) }
        outcome.json.append("description", .string(metadata.plainText))
        outcome.json.append("longDescription", .text(metadata.longDescription))
        outcome.json.append("identifier", .text(metadata.identifier ?? metadata.email))
        outcome.json.append("descriptionHash", .string(Hexadecimal.encode(metadata.hash)))
        outcome.json.append("allowsNostr", answer.json["allowsNostr"] ?? .null)
        outcome.json.append("nostrPubkey", answer.json["nostrPubkey"] ?? .null)
        outcome.json.append("checks", checks.json)
        return outcome
    }

    /// Whether Nostr clients may send zaps (NIP-57), and which key signs the receipts; nil when nothing is said.
    private static func zaps(_ json: JSONValue) -> String? {
        let (allows, key) = (json["allowsNostr"] ?? .null, json["nostrPubkey"] ?? .null)
        guard !allows.isNull || !key.isNull else { return nil }
        return (allows.bool == true ? "accepted" : "not accepted")
            + (key.string.map { ", receipts signed by \($0)" } ?? "")
    }

    private static func show(
        _ request: PayRequest, _ metadata: PayMetadata, title: String, on page: inout Page
    ) {
        page.add(title: title)
        page.add("", metadata.longDescription ?? metadata.plainText)
        page.add("amount", "\(request.minSendable.formatted) to \(request.maxSendable.formatted)")
        page.add("comment", request.commentAllowed > 0 ? "up to \(request.commentAllowed) characters" : "none")
        page.add("asks for", request.payerData?.summary)
        page.add("identifier", metadata.identifier ?? metadata.email)
        page.add("tag", metadata.tag)
        page.add("picture", metadata.image.map { "\($0.format.rawValue), \($0.base64.utf8.count * 3 / 4 / 1024) kB" })
        page.add("callback", request.callback.text)
        page.add("hash", Hexadecimal.encode(metadata.hash))
    }

    /// Responses other than for paying are named and shown as they are.
    private static func outcome(of json: JSONValue, for purpose: LNURLScheme, at url: HTTPURL) -> Outcome {
        var outcome = Outcome()
        outcome.page.add(title: url.authority)
        outcome.page.add("purpose", purpose.words)
        for member in json.object?.members ?? [] where member.key != "tag" {
            outcome.page.add(member.key, member.value.string ?? member.value.serialized())
        }
        outcome.json = ["url": .string(url.text), "tag": .string(purpose.tag), "answer": json]
        return outcome
    }
}

extension LNURLTarget {
    fileprivate func title(at url: HTTPURL) -> String {
        if case .address(let address) = self { return address.text }
        return url.authority
    }
}

extension ServiceAnswer {
    func payRequest() throws(ToolFault) -> (PayRequest, PayMetadata) {
        let request = try rethrowing(PayRequest(json: json), as: ToolFault.answer)
        let metadata = try rethrowing(PayMetadata(parsing: request.metadata)) { ToolFault.answer(.metadata($0)) }
        return (request, metadata)
    }
}

extension PayerDataSpec {
    /// `name (optional), email (mandatory)`
    fileprivate var summary: String {
        let known = Field.allCases.compactMap { field in
            self[field].map { "\(field.rawValue) (\($0 == .mandatory ? "mandatory" : "optional"))" }
        }
        return (known + unknownMandatory.map { "\($0) (mandatory, unknown)" }).joined(separator: ", ")
    }
}
