import LightningCoding
import LightningCrypto
import LNURL
import Testing

/// The code of the article of `LNURL`.
@Suite("The article on Lightning addresses", .timeLimit(.minutes(5)))
struct LNURLSnippets {
    private func served() throws -> (metadata: String, answer: PayRequest) {
        // snippet: answering the first request
        let service = try HTTPURL("https://example.com")
        let address = try LightningAddress("alice@example.com")
        let metadata = PayMetadata.build(for: address, description: "Tea for Alice")
        let answer = try PayRequest(
            callback: PayPaths.callback(of: .name(address.localPart), at: service),
            minSendable: Millisatoshi(1_000), maxSendable: Millisatoshi(100_000_000),
            metadata: metadata, commentAllowed: 100)
        let body = answer.json.serialized()
        // end
        #expect(body.contains(#""callback":"https://example.com/lnurlpay/alice/invoice""#))
        #expect(body.hasSuffix(#""commentAllowed":100,"tag":"payRequest"}"#))
        return (metadata, answer)
    }

    @Test("A wallet reads what the service serves")
    func info() throws {
        let (metadata, answer) = try served()
        #expect(try PayRequest(json: JSONValue(parsing: answer.json.serialized())) == answer)
        #expect(try PayMetadata(parsing: metadata).identifier == "alice@example.com")
    }

    // snippet: telling the requests apart
    func respond(to path: String) -> String {
        do {
            switch try PayPaths.question(of: path) {
            case .info(let recipient): return "limits and metadata of \(recipient.text)"
            case .invoice(let recipient, token: _): return "an invoice for \(recipient.text)"
            case .verify(let paymentHash, of: let recipient, token: _):
                return "whether \(recipient.text) was paid for \(paymentHash)"
            }
        } catch {
            return ErrorResponse(reason: "Not found").json.serialized()
        }
    }
    // end

    @Test("Each path asks for one thing")
    func paths() throws {
        #expect(respond(to: "/.well-known/lnurlp/alice") == "limits and metadata of alice")
        #expect(respond(to: "/lnurlpay/alice+tea/invoice") == "an invoice for alice+tea")
        let hash = String(repeating: "0a", count: 32)
        #expect(respond(to: "/lnurlpay/alice/\(hash)") == "whether alice was paid for \(hash)")
        #expect(respond(to: "/admin") == #"{"status":"ERROR","reason":"Not found"}"#)
    }

    @Test("An invoice commits to the metadata")
    func invoice() throws {
        let (metadata, payRequest) = try served()
        // snippet: answering the second request
        let query = try CallbackQuery(items: [("amount", "21000"), ("comment", "Thanks!")])
        guard query.amount >= payRequest.minSendable, query.amount <= payRequest.maxSendable,
            Comment.fits(query.comment ?? "", allowed: payRequest.commentAllowed)
        else { return }
        let descriptionHash = PayMetadata.descriptionHash(of: metadata)
        // end
        #expect(query.amount == Millisatoshi(21_000))
        #expect(query.comment == "Thanks!")
        #expect(descriptionHash == SHA256.hash(metadata.utf8))

        let (service, pr) = (try HTTPURL("https://example.com"), "lnbcrt1")
        let paymentHash = try PaymentHash([UInt8](repeating: 10, count: 32))
        let alice = try LocalPart("alice")
        // snippet: sending the invoice
        let answer = PayInvoice(pr: pr, verify: PayPaths.verify(paymentHash, of: .name(alice), at: service))
        let body = answer.json.serialized()
        // end
        #expect(body.hasPrefix(#"{"pr":"lnbcrt1","routes":[],"verify":"https://example.com/lnurlpay/alice/0a0a"#))
    }

    @Test("What a payer pasted is understood")
    func target() throws {
        let text = "lightning:Alice@example.com"
        // snippet: understanding a target
        let target = try LNURLTarget(text)
        let url = target.url
        // end
        #expect(url?.text == "https://example.com/.well-known/lnurlp/alice")
    }
}
