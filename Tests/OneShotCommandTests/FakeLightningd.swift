import Bolt11
import FakeNode
import LightningCoding
import LightningCrypto
import LoopbackServer
import Platform

/// The part of a Core Lightning node on its socket that one notification needs.
final class FakeLightningd: Sendable {
    /// The invoices that it has made, as text.
    let invoices: Guarded<[String]>
    private let server: LoopbackServer

    /// - Parameter excess: what is added to the ordered amount, in msat.
    init(path: String, excess: UInt64 = 0) throws {
        let invoices = Guarded<[String]>([])
        self.invoices = invoices
        let key = try SecretKey(Array(repeating: 7, count: 32))
        server = try LoopbackServer(path: path) { connection in
            // Each command arrives in one piece, and the next only after the answer.
            while case let bytes = connection.read(), !bytes.isEmpty {
                guard let request = try? JSONValue(parsing: bytes), let id = request["id"],
                    let result = try? Self.result(of: request, invoices, key, excess)
                else { return }
                connection.write(
                    JSONValue.object(["jsonrpc": "2.0", "id": id, "result": result]).serialized() + "\n\n")
            }
        }
    }

    private static func result(
        of request: JSONValue, _ invoices: Guarded<[String]>, _ key: SecretKey, _ excess: UInt64
    ) throws -> JSONValue {
        switch request["method"]?.string {
        case "getinfo":
            return ["id": .string(key.publicKey.hexadecimal), "network": "regtest", "blockheight": 115]
        case "listpeerchannels":
            return [
                "channels": [
                    [
                        "peer_id": .string(key.publicKey.hexadecimal), "state": "CHANNELD_NORMAL",
                        "peer_connected": true, "private": false, "receivable_msat": 1_000_000_000,
                        "our_max_htlc_value_in_flight_msat": 1_000_000_000, "minimum_htlc_in_msat": 1,
                    ]
                ]
            ]
        case "invoice":
            let text = request["params"]?["description"]?.string ?? ""
            let invoice = try FakeInvoice(
                Millisatoshi((request["params"]?["amount_msat"]?.uint64 ?? 0) + excess),
                .hash(SHA256.hash(Array(text.utf8))),
                expiry: request["params"]?["expiry"]?.uint64 ?? 0, at: .now(), on: .regtest, by: key)
            invoices.withLock { $0.append(invoice.text) }
            return ["bolt11": .string(invoice.text), "payment_hash": .string(invoice.paymentHash.hexadecimal)]
        default: return [:]
        }
    }
}
