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
    /// Where an answer here is another one, and why.
    private static let differences: [String: (status: Int, body: String?, why: String)] = [
        "unknown id info": (200, nil, "the reason is a sentence that says what to do"),
        "unknown id .well-known": (200, nil, "the reason is a sentence"),
        "register alice + offer (2nd, same)": (200, nil, "no record is in the DNS, so no address for it is promised"),
        "register bob w/o offer after alice+offer": (200, nil, "the same"),
        "recover after": (200, nil, "the new name is stored, not the one before it"),
        "register alice + offer (3rd)": (401, "invalid signature\n", "a statement that a newer one has replaced"),
        "info": (200, nil, "the webhook of the record is not there, and its reply has no limits"),
        "info cached": (200, nil, "the same"),
        "info other path (not cached)": (200, nil, "the same"),
        "HEAD info": (200, nil, "HEAD is answered"),
        "OPTIONS info": (204, "", "web pages may ask (CORS)"),
        "invoice missing": (200, nil, "the reason is a sentence"),
        "invoice zero": (200, nil, "the reason is a sentence"),
        "invoice neg": (200, nil, "the reason is a sentence"),
        "invoice float": (200, nil, "the reason is a sentence"),
        "invoice ok": (200, nil, "the invoice of the record is none"),
        "invoice max u64": (200, nil, "amounts have at most 63 bits"),
        "verify": (200, nil, "a payment hash has 32 bytes"),
        "garbage reply passthrough": (200, nil, "only what is understood reaches a payer"),
        "verify hash='recover'": (200, nil, "a payment hash is hexadecimal"),
        "GET bare": (200, nil, "a wallet always gets an ERROR that it can show"),
        "response GET": (404, nil, "an unknown path, with an ERROR that a wallet can show"),
        "webhook 500": (200, nil, "the reason is a sentence"),
        "webhook 201": (200, nil, "the reason is a sentence"),
        "unregister other url": (200, "{}", "JSON, which wallets expect"),
        "unregister": (200, "{}", "JSON, which wallets expect"),
        "recover after unregister-other": (200, nil, "the name that was registered last"),
        "unregister again": (200, "{}", "JSON, which wallets expect"),
        "b12 register": (200, nil, "see the body"),
        "b12 delete": (200, "{}", "JSON, which wallets expect"),
    ]

    @Test("are the same here, but for those that are named")
    func replay() async throws {
        let fixture = try await GatewayFixture(
            url: "https://pay.example.com", network: .bitcoin, now: UnixTime(1_795_225_228))
        var unexpected: [String] = []
        for exchange in try exchanges() {
            let answer = try await fixture.ask(exchange.path, exchange.method, body: exchange.sent)
            let isSame =
                answer.status == exchange.status && answer.body == exchange.body
                && (exchange.body.isEmpty || answer.headers[.contentType] == exchange.contentType)
            if isSame { continue }
            guard let difference = Self.differences[exchange.name], difference.status == answer.status,
                difference.body == nil || difference.body == answer.body
            else {
                unexpected.append("\(exchange.name): \(answer.status) \(answer.body)")
                continue
            }
        }
        #expect(unexpected == [])
    }
}
