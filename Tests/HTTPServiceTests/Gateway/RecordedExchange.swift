import Foundation
import HTTPTypes
import LightningCoding

/// One exchange with breez-lnurl, as recorded in `Tests/Recorded/breez/breez-lnurl-http.txt`.
///
/// `--- name`, `> METHOD path body`, and the response as on the wire. What happened meanwhile stands before: `[webhook]`,
/// the question that was posted, and `[reply1]`, `[reply2]`, the answers to the device, which replied twice.
struct RecordedExchange: Sendable {
    let name: String
    let method: HTTPRequest.Method
    let path: String
    let sent: String
    let status: Int
    /// But for those of the connection and the length.
    let headers: [String: String]
    let body: String
    /// What was posted to the webhook; nil for nothing.
    let question: JSONValue?

    /// All of them, in order.
    static func all() throws -> [RecordedExchange] {
        var meanwhile: Substring = ""
        return try text().components(separatedBy: "\n--- ").compactMap { part in
            defer { meanwhile = part.split(separator: "\n").last { $0.hasPrefix("   [webhook]") } ?? "" }
            return try RecordedExchange(part, meanwhile)
        }
    }

    /// The names that were tried, and whether breez-lnurl took them.
    static func names() throws -> [(name: String, isTaken: Bool)] {
        try text().split(separator: "\n").compactMap { line in
            guard line.hasPrefix("username "), let end = line.range(of: " -> ") else { return nil }
            let name = try JSONValue(parsing: String(line[..<end.lowerBound].dropFirst("username ".count))).string
            return name.map { ($0, line[end.upperBound...] == "<nil>") }
        }
    }

    private static func text() throws -> String {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: tests.appending(path: "Recorded/breez/breez-lnurl-http.txt"), encoding: .utf8)
    }

    private init?(_ part: String, _ meanwhile: Substring) throws {
        let lines = part.components(separatedBy: "\n")
        guard let request = lines.first(where: { $0.hasPrefix("> ") })?.dropFirst(2),
            let start = lines.firstIndex(where: { $0.hasPrefix("HTTP/1.1 ") }),
            let end = lines[start...].firstIndex(where: \.isEmpty)
        else { return nil }
        let words = request.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        name = lines[0]
        method = HTTPRequest.Method(String(words[0])) ?? .get
        path = String(words[1])
        // Long bodies end in …, behind the last member.
        sent = words.count > 2 ? String(words[2].replacing("…", with: "}")) : ""
        status = Int(lines[start].split(separator: " ")[1]) ?? 0
        var headers: [String: String] = [:]
        for line in lines[(start + 1)..<end] {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[String(parts[0])] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        let length = headers.removeValue(forKey: "Content-Length").flatMap { Int($0) }
        headers["Connection"] = nil
        self.headers = headers
        body = String(lines[(end + 1)...].joined(separator: "\n").prefix(length ?? 0))
        question = try meanwhile.range(of: "body=").map { try JSONValue(parsing: String(meanwhile[$0.upperBound...])) }
    }
}
