import LightningCoding
import LightningCrypto
import TemporaryFolders
import Testing

/// Recorded requests to a real node and its responses: `Tests/Recorded/lnd.json`.
enum Recorded {
    struct Exchange: CustomTestStringConvertible, Sendable {
        let name: String
        let method: String
        let path: String
        /// The body, as JSON or raw.
        let body: [UInt8]
        /// The macaroon sent; nil for one with all the permissions that we need.
        let macaroon: String?
        let status: Int
        /// The response; a subscription has messages instead.
        let answer: JSONValue?
        let messages: [JSONValue]

        var testDescription: String { name }
    }

    static let exchanges: [Exchange] = {
        let path = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
        guard let bytes = try? contentsOfFile(path + "/Recorded/lnd.json"),
            let document = try? JSONValue(parsing: bytes)
        else { return [] }
        return (document["exchanges"]?.array ?? []).map { exchange in
            Exchange(
                name: exchange["name"]?.string ?? "", method: exchange["method"]?.string ?? "",
                path: exchange["path"]?.string ?? "",
                body: exchange["text"]?.string.map { Array($0.utf8) } ?? exchange["body"]?.serializedBytes() ?? [],
                macaroon: exchange["macaroon"]?.string, status: exchange["status"]?.int64.map { Int($0) } ?? 0,
                answer: exchange["answer"], messages: exchange["lines"]?.array ?? [])
        }
    }()

    static func exchange(_ name: String) -> Exchange? {
        exchanges.first { $0.name == name }
    }

    static func answer(_ name: String) -> JSONValue {
        exchange(name)?.answer ?? .null
    }

    static let info = answer("getinfo").object ?? [:]
    static let channel = answer("channels")["channels"]?.array?.first?.object ?? [:]
    static let edge = answer("edge").object ?? [:]
    static let policy = edge["node1_policy"]?.object ?? [:]
    static let invoice = answer("lookup open").object ?? [:]
    static let htlc = answer("lookup settled")["htlcs"]?.array?.first?.object ?? [:]

    /// The preimages of the real node's invoices, by payment hash in base64.
    static let preimages: [String: Preimage] = {
        var found: [String: Preimage] = [:]
        for exchange in exchanges {
            for invoice in [exchange.answer ?? .null] + exchange.messages.compactMap({ $0["result"] }) {
                guard let hash = invoice["r_hash"]?.string, let text = invoice["r_preimage"]?.string else { continue }
                found[hash] = try? Preimage(try Base64.decode(text))
            }
        }
        return found
    }()
}

extension JSONObject {
    /// The object with some members replaced.
    func with(_ members: JSONObject) -> JSONObject {
        var object = self
        for member in members.members { object[member.key] = member.value }
        return object
    }
}
