import ArgumentParser
import Devices
import ServiceSetup
import LightningCoding
import LightningCrypto
import PushProviders
import ResponderModel
import TemporaryFolders
import Testing
@testable import ServiceCommand

@Suite("push check", .timeLimit(.minutes(5)))
struct PushCommandTests: CommandFixture {
    let temporary = TemporaryFolder()
    private let apns: APNsStandIn

    init() async throws {
        apns = try await APNsStandIn(
            key: P256SecretKey(pem: Array(PublishedKeys.p256.utf8)).publicKey, keyID: "ABC123DEFG", team: "DEF123GHIJ",
            topics: ["com.example.wallet"])
    }

    private func options() throws -> [String] {
        let file = temporary.path + "/apns.p8"
        if !temporary.names.contains("apns.p8") { try writeFile(PublishedKeys.p256.utf8, to: file) }
        return [
            "--push-apns-key-file", file, "--push-apns-key-id", "ABC123DEFG", "--push-apns-team-id", "DEF123GHIJ",
            "--push-apns-topic", "com.example.wallet",
        ]
    }

    /// A device that is registered, or another one with its token.
    private func device(_ number: UInt8, token: String = String(repeating: "ab", count: 32)) async throws -> DeviceID {
        let id = try #require(DeviceID([UInt8](repeating: number, count: 16)))
        let owner = try SecretKey([UInt8](repeating: number, count: 32)).publicKey
        let profile = DeviceProfile(
            owner: owner, install: try #require(InstallID("phone")), secretHash: SHA256.hash([number]),
            encryptionKey: nil, locale: nil)
        _ = try await installation().ledger.putDevice(
            profile, reachedAt: .apns(#require(APNsToken(token)), .sandbox), signedAt: UnixTime(1_790_000_000), as: id,
            at: UnixTime(1_790_000_000))
        return id
    }

    private func check(_ arguments: String...) async throws -> CommandResult {
        try await PushCheck.parse(arguments + options() + data).perform(at: apns.url)
    }

    private func refusal(_ arguments: [String]) async throws -> CommandFailure? {
        do {
            _ = try await PushCheck.parse(arguments + options() + data).perform(at: apns.url)
            return nil
        } catch let failure as CommandFailure {
            return failure
        }
    }

    @Test("A registered device gets a message on the server of its environment")
    func registered() async throws {
        _ = try await run(AccountAdd.self, "alice")
        let id = try await device(1)
        let told = try await check("--device", id.description)
        #expect(told.json["accepted"] == true)
        #expect(apns.accepted.map(\.token) == [String(repeating: "ab", count: 32)])
        #expect(apns.accepted.first?.body["notification_type"] == "push_check")
    }

    @Test("A refusal is explained, and the device's token is not in the text")
    func refused() async throws {
        _ = try await run(AccountAdd.self, "alice")
        let id = try await device(1)
        let token = String(repeating: "ab", count: 32)
        for (answer, status, words) in [
            (HTTP2Answer(400, #"{"reason":"BadDeviceToken"}"#), ExitStatus.no, "sandbox"),
            (HTTP2Answer(400, #"{"reason":"TopicDisallowed"}"#), .no, "push.apns-topic"),
            (HTTP2Answer(403, #"{"reason":"InvalidProviderToken"}"#), .unavailable, "push.apns-team-id"),
        ] {
            apns.script(token, [answer])
            let failure = try #require(try await refusal(["--device", id.description]))
            #expect(failure.status == status)
            #expect(failure.reasons.contains { $0.contains(words) }, "\(failure.reasons)")
            #expect(!failure.reasons.contains { $0.contains(token) })
        }
    }

    @Test("A device that cannot be reached, or that nobody knows, is told from wrong words")
    func unknown() async throws {
        _ = try await run(AccountAdd.self, "alice")
        let id = try await device(1)
        _ = try await device(2)
        let dropped = try #require(try await refusal(["--device", id.description]))
        #expect(dropped.status == .no && dropped.reasons[0].hasPrefix("the device cannot be reached since 2026-09-21"))
        #expect(try await refusal(["--device", String(repeating: "0", count: 32)])?.status == .no)
        for words in [["--device", "x"], ["--platform", "ios"], ["--device", id.description, "--token", "x"], []] {
            #expect(try await refusal(words)?.status == .usage, "\(words)")
        }
        #expect(apns.accepted.isEmpty)
    }

    @Test("Every refusal has an explanation")
    func explanations() {
        let refusals: [PushVerdict] = [
            .badToken, .gone(since: nil), .misconfigured("x"), .foreign("x"), .invalidRequest("x"), .refused("x"),
            .tooLarge,
            .credentialExpired, .credentialRefused("x", mayBeTheConnection: false), .credentialTooNew,
            .deviceBusy(retryAfter: nil), .unavailable("x", retryAfter: nil), .outage("x"), .connectionEnded,
        ]
        for verdict in refusals { #expect(verdict.explanation != nil, "\(verdict)") }
        #expect(PushVerdict.accepted(id: nil).explanation == nil)
    }
}
