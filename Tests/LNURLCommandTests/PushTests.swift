import Devices
import LightningCoding
import LightningCrypto
import Platform
import TemporaryFolders
import Testing

@Suite("lnurl push", .timeLimit(.minutes(5)))
struct PushTests {
    private let folder = TemporaryFolder()
    private let device: SecretKey
    private let push: String

    init() throws {
        device = try SecretKey([UInt8](repeating: 0x55, count: 32))
        let wake = WakeMessage(
            id: try #require(WakeID("w1")), topic: try #require(WakeTopic("payments.incoming")), urgency: .background,
            deadline: UnixTime(1_790_000_060), payload: ["amount": 21])
        let container = try WakeContainer(
            sealing: wake.plaintext, for: device.publicKey, random: SystemRandom.bytes)
        let silent = PushMessage(
            .silent(container, isUrgent: true), about: wake.id, wake.topic, .alert, expires: wake.deadline,
            collapse: CollapseID("c"))
        push = String(decoding: silent.form.apnsBody, as: UTF8.self)
    }

    private func keyFile(_ digits: String) throws -> String {
        let file = PrivateFile(path: folder.path + "/device.key")
        try file.create(Array(digits.utf8))
        return file.path
    }

    @Test("A wake is decrypted with the device's key, for people and as JSON")
    func decrypt() async throws {
        let key = try keyFile(String(repeating: "55", count: 32))
        let shown = try await ToolRun("push", "decrypt", "-", "--key-file", key, input: push)
        #expect(shown.status == 0)
        for part in ["payments.incoming", "w1", "background", "2026-09-21T14:14:20Z", #"{"amount":21}"#] {
            #expect(shown.output.contains(part), "\(part)")
        }
        let run = try await ToolRun("push", "decrypt", try folder.file("push", push), "--key-file", key, "--json")
        #expect(try run.json["kind"] == "wake")
        #expect(try run.json["payload"] == ["amount": 21])
        let fallback = #"{"wake_fallback":{"v":1,"id":"w1","topic":"a.b"}}"#
        let alert = try await ToolRun("push", "decrypt", "-", "--key-file", key, "--json", input: fallback)
        #expect(try alert.json["kind"] == "fallback")
        let legacy = """
            {"cipher":"mvdDR3nQxKFTs/N1fQ5z38Zw079ynGfhKTULDq9Mzm96yPl4T4HRyvGLxpqEz9Kq/zeJnUbNzNNPFA2Kh5bPISCuuna+L375NLJgKE\
            N65Aqu6q8KLXECOLhlgdXTEt38xl946MINUfY45uWdtO9h","iv":"000102030405060708090a0b0c0d0e0f",\
            "tag":"2bacdc4bd3ba62cdc3376e302dd70a5f",\
            "publicKey":"034f355bdcb7cc0af728ef3cceb9615d90684bb5b2ca5f859ab0f0b704075871aa"}
            """
        let otherKey = PrivateFile(path: folder.path + "/other.key")
        try otherKey.create(Array(String(repeating: "22", count: 32).utf8))
        let old = try await ToolRun("push", "decrypt", "-", "--key-file", otherKey.path, "--json", input: legacy)
        #expect(try old.json["kind"] == "legacy" && old.json["payload"] == ["orderId": "abc"])
    }

    @Test("Another key, another push message and a missing key file are told apart")
    func faults() async throws {
        let key = try keyFile(String(repeating: "66", count: 32))
        let foreign = try await ToolRun("push", "decrypt", "-", "--key-file", key, "--json", input: push)
        #expect(foreign.status == 65)
        #expect(try foreign.json["fault"]?["name"] == "wake")
        let other = try await ToolRun("push", "decrypt", "-", "--key-file", key, input: #"{"aps":{}}"#)
        #expect(other.status == 65)
        #expect(other.errors.contains("carries neither a wake nor a fallback alert"))
        #expect(try await ToolRun("push", "decrypt", "-", "--key-file", "/none", input: push).status == 66)
    }
}
