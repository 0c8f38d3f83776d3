import LightningCoding
import LightningCrypto
import TemporaryFolders
import Testing

/// Recorded requests to a real node and its responses: `Tests/Recorded/core-lightning.json`.
enum Recorded {
    struct Exchange: CustomTestStringConvertible, Sendable {
        let name: String
        let method: String
        let parameters: JSONObject
        let filter: JSONValue?
        let result: JSONValue?
        let error: JSONValue?

        var testDescription: String { name }
    }

    static let exchanges: [Exchange] = {
        let path = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
        guard let document = try? JSONValue(parsing: contentsOfFile(path + "/Recorded/core-lightning.json")) else {
            return []
        }
        return (document["exchanges"]?.array ?? []).map { exchange in
            Exchange(
                name: exchange["name"]?.string ?? "", method: exchange["method"]?.string ?? "",
                parameters: exchange["params"]?.object ?? [:], filter: exchange["filter"], result: exchange["result"],
                error: exchange["error"])
        }
    }()

    static func result(of name: String) -> JSONValue {
        exchanges.first { $0.name == name }?.result ?? .null
    }

    /// A public channel that can receive 985,581,655 msat and a private one that can receive 490,709,000 msat.
    static let channels = result(of: "listpeerchannels")["channels"]?.array ?? []

    static let bolt12 = result(of: "listinvoices offer id")["invoices"]?.array?.first?["bolt12"]?.string ?? ""

    static let preimage: Preimage = {
        guard let preimage = try? Preimage(Array(repeating: 0x55, count: 32)) else { fatalError() }
        return preimage
    }()
}
