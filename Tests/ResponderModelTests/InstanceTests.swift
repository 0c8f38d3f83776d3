import LightningCoding
import LightningCrypto
import ResponderModel
import Testing

@Suite("Instances and leases by name", .timeLimit(.minutes(5)))
struct InstanceTests {
    @Test("The name of a lease reads back as it is written, and nothing else is one")
    func leaseNames() throws {
        let main = try #require(BackendName("main-node"))
        for (name, text) in [
            (LeaseName.following(main), "backend:main-node"), (.onion, "onion"), (.upkeep, "upkeep"),
            (.outbox, "outbox"),
        ] {
            #expect(name.text == text)
            #expect(LeaseName(text) == name)
        }
        for text in ["", "backend", "backend:", "backend:A", "Onion", "outbox ", "backend:a:b"] {
            #expect(LeaseName(text) == nil, "\(text)")
        }
    }

    @Test("An instance's id is made of its name, its process and random digits, and reads back")
    func ids() throws {
        let name = try #require(InstanceName("pay-1.example"))
        let id = try InstanceID(name: name, process: 4_711) { count throws(CryptoFault) in
            [UInt8](repeating: 0xAB, count: count)
        }
        #expect(id.text == "pay-1.example-4711-abababab")
        #expect(InstanceID(id.text) == id)
        for text in ["", "a b", "é", "a\n", String(repeating: "a", count: 129)] { #expect(InstanceID(text) == nil) }
        for text in ["", "a b", "é", "a/b", String(repeating: "a", count: 65)] { #expect(InstanceName(text) == nil) }
        #expect(InstanceName(String(repeating: "a", count: 64)) != nil)
    }

    @Test("A fingerprint depends on every key and on their order, and is no key")
    func fingerprints() {
        func fingerprint(_ keys: UInt8...) -> KeysFingerprint {
            KeysFingerprint(of: keys.map { SecretBytes([UInt8](repeating: $0, count: 32)) })
        }
        #expect(fingerprint(1, 2) == fingerprint(1, 2))
        for other in [fingerprint(1), fingerprint(2, 1), fingerprint(1, 3), fingerprint(3, 2), fingerprint(1, 2, 2)] {
            #expect(fingerprint(1, 2) != other)
        }
        #expect(fingerprint(1).bytes != [UInt8](repeating: 1, count: 32))
        #expect(KeysFingerprint(fingerprint(1).bytes) == fingerprint(1))
        #expect(KeysFingerprint([1]) == nil)
        #expect(KeysFingerprint(of: []).bytes.count == 32)
    }

    @Test("An instance is alive while it was heard of in the last two minutes")
    func alive() throws {
        let name = try #require(InstanceName("a"))
        let address = ListenAddress(host: "127.0.0.1", port: 1)
        let status = InstanceStatus(
            record: InstanceRecord(
                id: try #require(InstanceID("a-1-0")), name: name, process: 1, version: "1", startedAt: UnixTime(1),
                payers: address, admin: address, publicURL: nil, keys: KeysFingerprint(of: [])),
            seenAt: UnixTime(1_000), leases: [])
        #expect(status.isAlive(at: UnixTime(1_120)))
        #expect(!status.isAlive(at: UnixTime(1_121)))
        // A clock that is behind.
        #expect(status.isAlive(at: UnixTime(0)))
    }
}
