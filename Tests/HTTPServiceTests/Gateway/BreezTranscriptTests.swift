import Foundation
import HTTPTypes
import LNURL
import LightningCoding
import Testing

@testable import HTTPService

/// One exchange with breez-lnurl, as recorded.
private struct Exchange: Sendable {
    let name: String
    let method: HTTPRequest.Method
    let path: String
    let sent: String
    let status: Int
    let contentType: String?
    let body: String
}

/// Reads `Tests/Recorded/breez/breez-lnurl-http.txt`: `--- name`, `> METHOD path body`, and the response as on the wire.
private func exchanges() throws -> [Exchange] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    let text = try String(
        contentsOf: folder.appending(path: "Recorded/breez/breez-lnurl-http.txt"), encoding: .utf8)
    return text.components(separatedBy: "\n--- ").dropFirst().compactMap { part -> Exchange? in
        let lines = part.components(separatedBy: "\n")
        guard let request = lines.first(where: { $0.hasPrefix("> ") })?.dropFirst(2),
            let start = lines.firstIndex(where: { $0.hasPrefix("HTTP/1.1 ") }),
            let end = lines[start...].firstIndex(where: { $0.isEmpty })
        else { return nil }
        let words = request.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        // Long bodies end in …, behind the last member.
        let sent = words.count > 2 ? words[2].replacing("…", with: "}") : ""
        let length = lines[start..<end].first { $0.hasPrefix("Content-Length: ") }.flatMap { Int($0.dropFirst(16)) }
        return Exchange(
            name: lines[0], method: HTTPRequest.Method(String(words[0])) ?? .get, path: String(words[1]),
            sent: String(sent),
            status: Int(lines[start].split(separator: " ")[1]) ?? 0,
            contentType: lines[start..<end].first { $0.hasPrefix("Content-Type: ") }.map { String($0.dropFirst(14)) },
            body: String(lines[(end + 1)...].joined(separator: "\n").prefix(length ?? 0)))
    }
}

@Suite("The exchanges of breez-lnurl", .timeLimit(.minutes(1)))
struct BreezTranscriptTests {
    /// An answer that differs from the record.
    private struct Difference {
        let status: Int
        let contentType: String?
        let body: String
        let why: String

        static func error(_ reason: String, _ why: String, status: Int = 200) -> Difference {
            Difference(
                status: status, contentType: "application/json; charset=utf-8",
                body: #"{"status":"ERROR","reason":"\#(reason)"}"#, why: why)
        }

        /// The record's key, with that name.
        static func registered(_ name: String, _ why: String) -> Difference {
            json(#"{"lnurl":"\#(lnurl)","lightning_address":"\#(name)@pay.example.com"}"#, why)
        }

        static func json(_ body: String, _ why: String) -> Difference {
            Difference(status: 200, contentType: "application/json", body: body, why: why)
        }

        private static let lnurl = """
            lnurl1dp68gurn8ghj7urp0yhx27rpd4cxcefwvdhk6tmvde6hymrs9ucrxdrxxv6n2cnyvd3rwcmrxpskvdej8pjkvvmrvdjkywfkxy6kgwfsxc\
            urgcnzx43rycmpx4nrsdfev93rqe3svgmnqdpsxu6nsde3v9ssz06ewe
            """
    }

    /// Where an answer here is another one, and why.
    private static let differences: [String: Difference] = [
        "unknown id info": .error(
            "Nobody of that name can be paid here", "the reason is a sentence that says what to do"),
        "unknown id .well-known": .error("Nobody of that name can be paid here", "the reason is a sentence"),
        "register alice + offer (2nd, same)": .registered(
            "alice", "no record is in the DNS, so no address for it is promised"),
        "register bob w/o offer after alice+offer": .registered("bob", "the same"),
        "recover after": .registered("bob", "the new name is stored, not the one before it"),
        "register alice + offer (3rd)": Difference(
            status: 401, contentType: "text/plain; charset=utf-8", body: "invalid signature\n",
            why: "a statement that a newer one has replaced"),
        "info": .error("Nobody of that name can be paid here", "the name was given up for bob"),
        "info cached": .error("Nobody of that name can be paid here", "the same"),
        "info other path (not cached)": .error(
            "The recipient's wallet cannot be reached; ask the recipient to open it, then try again",
            "the webhook of the record is not there"),
        "HEAD info": Difference(
            status: 200, contentType: "application/json; charset=utf-8", body: "", why: "HEAD is answered"),
        "OPTIONS info": Difference(status: 204, contentType: nil, body: "", why: "web pages may ask (CORS)"),
        "invoice missing": .error(
            "amount is missing; it is the number of millisatoshis to pay", "the reason is a sentence"),
        "invoice zero": .error("amount must be at least 1", "the reason is a sentence"),
        "invoice neg": .error(
            "amount must be a whole number of millisatoshis, in digits only", "the reason is a sentence"),
        "invoice float": .error(
            "amount must be a whole number of millisatoshis, in digits only", "the reason is a sentence"),
        "invoice ok": .error("Nobody of that name can be paid here", "the name was given up for bob"),
        "invoice max u64": .error("amount is too large", "amounts have at most 63 bits"),
        "verify": .error("Not found", "a payment hash has 32 bytes"),
        "garbage reply passthrough": .error("Not found", "only what is understood reaches a payer"),
        "verify hash='recover'": .error("Not found", "a payment hash is hexadecimal"),
        "GET bare": .error("There is nothing at this path", "a wallet always gets an ERROR that it can show"),
        "response GET": .error(
            "There is nothing at this path", "an unknown path, with an ERROR that a wallet can show", status: 404),
        "webhook 500": .error("Nobody of that name can be paid here", "the name was given up for bob"),
        "webhook 201": .error("Nobody of that name can be paid here", "the name was given up for bob"),
        "unregister other url": .json("{}", "JSON, which wallets expect"),
        "recover after unregister-other": .registered("bob", "the name that was registered last"),
        "unregister": .json("{}", "JSON, which wallets expect"),
        "unregister again": .json("{}", "JSON, which wallets expect"),
        "b12 register": .json("{}", "no record is in the DNS, so no address for it is promised"),
        "b12 recover": .json("{}", "the same"),
        "b12 delete": .json("{}", "JSON, which wallets expect"),
    ]

    @Test("are the same here, but for those that are named")
    func replay() async throws {
        let fixture = try await GatewayFixture(
            url: "https://pay.example.com", network: .bitcoin, now: UnixTime(1_795_225_228))
        var unexpected: [String] = []
        for exchange in try exchanges() {
            let answer = try await fixture.ask(exchange.path, exchange.method, body: exchange.sent)
            let expected =
                Self.differences[exchange.name]
                ?? Difference(
                    status: exchange.status, contentType: exchange.contentType, body: exchange.body,
                    why: "it is the same")
            let sniff = HTTPField.Name("X-Content-Type-Options").flatMap { answer.headers[$0] }
            guard answer.status == expected.status, answer.body == expected.body,
                answer.headers[.contentType] == expected.contentType,
                expected.contentType?.hasPrefix("text/plain") != true || sniff == "nosniff"
            else {
                unexpected.append(
                    "\(exchange.name): \(answer.status) \(answer.headers[.contentType] ?? "") \(answer.body)")
                continue
            }
        }
        #expect(unexpected == [])
    }
}
