import LightningCoding
import OnionMessages
import Testing

@Suite("Addresses of nodes", .timeLimit(.minutes(5)))
struct PeerAddressTests {
    private static let node = "02" + "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"

    @Test(
        "What is read is written again, with the usual port where none is given",
        arguments: [
            ("127.0.0.1:9736", "127.0.0.1:9736"), ("node.example", "node.example:9735"), ("[::1]:1", "[::1]:1"),
            ("[2001:db8::7]", "[2001:db8::7]:9735"), ("Node.Example:65535", "node.example:65535"),
            (
                "vww6ybal4bd7szmgncyruucpgfkqahzddi37ktceo3ah7ngmcopnpyyd.onion:9735",
                "vww6ybal4bd7szmgncyruucpgfkqahzddi37ktceo3ah7ngmcopnpyyd.onion:9735"
            ),
        ])
    func accepted(host: String, written: String) throws {
        let address = try PeerAddress("\(Self.node)@\(host)")
        #expect(address.description == "\(Self.node)@\(written)")
        #expect(try PeerAddress(address.description) == address)
    }

    @Test(
        "What is no node id, no host or no port is refused",
        arguments: [
            ("127.0.0.1:9735", .nodeID), ("@127.0.0.1:9735", .nodeID), ("\(String(node.dropLast()))@a:1", .nodeID),
            ("04\(node.dropFirst(2))@a:1", .nodeID), ("\(node)@", .host(.emptyHost)),
            ("\(node)@:9735", .host(.emptyHost)),
            ("\(node)@a b:1", .host(.invalidHost)), ("\(node)@a:0", .port), ("\(node)@a:65536", .port),
            ("\(node)@a:", .port), ("\(node)@a:+1", .port), ("\(node)@a:1:2", .host(.invalidHost)),
            ("\(node)@a:x", .port),
        ] as [(String, PeerAddressFault)])
    func refused(text: String, fault: PeerAddressFault) {
        do throws(PeerAddressFault) {
            Issue.record("\(text) was read as \(try PeerAddress(text))")
        } catch {
            #expect(error == fault, "\(text)")
        }
    }
}
