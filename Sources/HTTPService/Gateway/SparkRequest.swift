import HTTPTypes
import Hummingbird
import LNURL
import LightningCoding
import LightningCrypto
import Registrations

/// What a wallet of Spark asks for: the key in the path, and the members of the body.
struct SparkRequest {
    let key: PublicKey
    let time: UInt64
    private let members: JSONValue

    init(_ members: JSONValue, key: String) throws(StatementFault) {
        self.members = members
        self.key = try SparkStatement.key(key)
        guard let time = members["timestamp"]?.uint64 else { throw .body }
        self.time = time
    }

    func text(_ member: String) throws(StatementFault) -> String {
        guard let text = members[member]?.string else { throw .body }
        return text
    }

    func name() throws(StatementFault) -> AddressName {
        try SparkStatement.name(try text("username"))
    }

    func description() throws(StatementFault) -> String {
        try SparkStatement.description(try text("description"))
    }

    func publicKey(_ member: String) throws(StatementFault) -> PublicKey {
        try SparkStatement.key(try text(member))
    }
}

extension SparkRequest {
    /// The members of a request without a body: in header fields, which no log of a proxy holds, or else in the query.
    static func members(of request: Request) -> JSONValue {
        let query = request.uri.queryParameters
        func value(_ field: String, _ parameter: Substring) -> String? {
            HTTPField.Name(field).flatMap { request.headers[$0] } ?? query[parameter].map { String($0) }
        }
        return [
            "signature": .text(value("X-Breez-Signature", "signature")),
            "timestamp": value("X-Breez-Timestamp", "timestamp").flatMap { UInt64(digits: $0) }.map { .unsigned($0) }
                ?? .null,
        ]
    }
}
