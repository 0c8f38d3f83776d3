import LightningCoding
import LightningCrypto
import PushProviders
import ResponderModel
import TemporaryFolders
import Testing

@testable import Devices

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite("Tokens for APNs", .timeLimit(.minutes(5)))
struct APNsTokenTests {
    private let ledger = TokensInMemory()
    private let clock = WallClockInHand(UnixTime(2_400_060))

    /// The tokens of another instance.
    private func instance() throws -> APNsTokens {
        try APNsTokens(
            APNsKey(id: "ABC123DEFG", team: "DEF123GHIJ", PushFixture.key()), in: ledger,
            clock: { [clock] in clock.now })
    }

    private static func moment(_ token: String?) throws -> UInt64? {
        let claims = try Base64URL.decode(#require(token).split(separator: ".")[1])
        return try JSONValue(parsing: claims)["iat"]?.uint64
    }

    @Test("All instances on a ledger use the same token, also those that start later, and a new one every 40 minutes")
    func shared() async throws {
        let instances = try [instance(), instance(), instance()]
        var texts: [String?] = []
        for second in stride(from: 0, to: 24_000, by: 96) {
            let all = try await withThrowingTaskGroup(of: String?.self) { group in
                for one in try instances + [instance()] { group.addTask { await one.text() } }
                return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
            }
            #expect(all.count == 1, "\(second)")
            if texts.last != all.first { texts.append(all.first ?? nil) }
            clock.advance(96)
        }
        #expect(try texts.compactMap(Self.moment) == (UInt64(0)..<10).map { 2_400_000 + 2_400 * $0 })
        #expect(await ledger.writes == 10)
    }

    @Test("A key with another id, or a file with another key, has tokens of its own")
    func otherKey() async throws {
        let token = try await instance().text()
        for (id, byte) in [("ABC123DEFH", UInt8(0x42)), ("ABC123DEFG", 0x43)] {
            let secret = try P256SecretKey([UInt8](repeating: byte, count: 32))
            let other = try APNsTokens(
                APNsKey(id: id, team: "DEF123GHIJ", secret), in: ledger, clock: { [clock] in clock.now })
            #expect(await other.text() != token)
        }
        #expect(try await instance().text() == token)
        #expect(await ledger.writes == 3)
    }

    @Test("A token refused as expired is replaced at once for all, but never twice in 20 minutes")
    func refused() async throws {
        let (one, other) = (try instance(), try instance())
        let first = await one.text()
        _ = await other.text()
        clock.advance(1_139)
        one.noteExpired()
        #expect(await one.text() == first)
        clock.advance(1)
        one.noteExpired()
        let second = await one.text()
        #expect(try Self.moment(second) == 2_401_140)
        // The other has used the first one meanwhile.
        other.noteExpired()
        #expect(await other.text() == second)
        clock.advance(1_000)
        other.noteExpired()
        #expect(await other.text() == second)
        #expect(await ledger.writes == 2)
    }

    @Test(
        "After a refusal of a new token all go back to the one before until it is an hour old, and then get a new one")
    func tooMany() async throws {
        let (one, other) = (try instance(), try instance())
        let first = await one.text()
        _ = await other.text()
        clock.advance(2_340)
        let second = await one.text()
        #expect(second != first)
        #expect(await other.text() == second)
        one.noteTooMany()
        one.noteTooMany()
        #expect(await one.text() == first)
        other.noteTooMany()
        #expect(await other.text() == first)
        #expect(try await instance().text() == first)
        clock.advance(1_139)
        #expect(await one.text() == first)
        clock.advance(1)
        let third = await one.text()
        #expect(try Self.moment(third) == 2_403_480)
        #expect(await other.text() == third)
    }

    @Test("An instance that has only the refused token keeps it, until another goes back")
    func nothingBefore() async throws {
        let one = try instance()
        let first = await one.text()
        clock.advance(2_340)
        let other = try instance()
        let second = await other.text()
        #expect(await one.text() == second)
        other.noteTooMany()
        #expect(await other.text() == second)
        one.noteTooMany()
        #expect(await one.text() == first)
        other.noteTooMany()
        #expect(await other.text() == first)
    }

    @Test("While the ledger fails the token is used as long as it is valid, and then one of this instance's own")
    func failingLedger() async throws {
        let one = try instance()
        let first = await one.text()
        await ledger.fail(.storage("down"))
        clock.advance(3_479)
        #expect(await one.text() == first)
        clock.advance(1)
        let second = await one.text()
        #expect(try Self.moment(second) == 2_403_480)
        #expect(await one.text() == second)
        #expect(try await Self.moment(instance().text()) == 2_403_480)
    }

    @Test("A clock that is set back gives up a token from the future")
    func setBack() async throws {
        clock.advance(100_000)
        let one = try instance()
        _ = await one.text()
        clock.set(UnixTime(2_400_060))
        #expect(try await Self.moment(one.text()) == 2_400_000)
    }

    @Test("The token has the form that Apple describes, and verifies")
    func form() throws {
        let secret = try PushFixture.key()
        let token = try APNsKey(id: "ABC123DEFG", team: "DEF123GHIJ", secret).token(issuedAt: PushFixture.now)
        let parts = token.split(separator: ".")
        #expect(parts.count == 3)
        #expect(try Base64URL.decode(parts[0]) == Array(#"{"alg":"ES256","kid":"ABC123DEFG"}"#.utf8))
        #expect(try Base64URL.decode(parts[1]) == Array(#"{"iss":"DEF123GHIJ","iat":1700000000}"#.utf8))
        #expect(
            try secret.publicKey.isValid(Base64URL.decode(parts[2]), for: Array("\(parts[0]).\(parts[1])".utf8)))
    }

    @Test(
        "Ids have ten capital letters and digits",
        arguments: ["ABC123DEF", "ABC123DEFGH", "abc123defg", "ABC123DEF-", ""])
    func ids(text: String) throws {
        let key = try PushFixture.key()
        #expect(throws: CredentialFault.identifier("key id")) { try APNsKey(id: text, team: "DEF123GHIJ", key) }
        #expect(throws: CredentialFault.identifier("team id")) { try APNsKey(id: "DEF123GHIJ", team: text, key) }
    }

    @Test("Key files must be private and of the right kind; the fault names the file and tells nothing of its content")
    func files() throws {
        let folder = TemporaryFolder()
        func reason(
            _ read: (String) throws(CredentialFault) -> Void, _ contents: String, mode: mode_t = 0o600
        ) throws -> String? {
            let path = folder.path + "/key"
            try writeFile(contents.utf8, to: path)
            chmod(path, mode)
            do throws(CredentialFault) {
                try read(path)
                return nil
            } catch {
                return error.reason.split(separator: folder.path + "/").joined()
            }
        }
        let apns = { (path: String) throws(CredentialFault) in
            _ = try APNsKey(id: "ABC123DEFG", team: "DEF123GHIJ", file: path)
        }
        let vapid = { (path: String) throws(CredentialFault) in
            _ = try VAPIDKey(file: path, contact: "mailto:a@example.com")
        }
        let fcm = { (path: String) throws(CredentialFault) in _ = try ServiceAccount(file: path) }
        for read in [apns, vapid] {
            #expect(try reason(read, PublishedKeys.p256) == nil)
            #expect(
                try reason(read, PublishedKeys.p256, mode: 0o640)
                    == "key: it is accessible to others (mode 640); it must be 600")
            #expect(try reason(read, PublishedKeys.rsa) == "key: it is not a private key of P-256 in PEM")
        }
        let account: JSONObject = [
            "type": "service_account", "project_id": "wallet-1", "private_key_id": "f00d",
            "private_key": .string(PublishedKeys.rsa), "client_email": "a@example.com",
            "token_uri": "https://oauth2.googleapis.com/token",
        ]
        #expect(try reason(fcm, JSONValue.object(account).serialized()) == nil)
        #expect(try reason(fcm, "{}") == "key: it is not the JSON file of a service account")
        for member in account.members.map(\.key) where member != "type" {
            var broken = account
            broken.append(member, member == "private_key" ? .string(PublishedKeys.p256) : "")
            #expect(try reason(fcm, JSONValue.object(broken).serialized()) == "key: \(member) is missing or malformed")
        }
        var foreign = account
        foreign.append("project_id", "a/../b")
        #expect(try reason(fcm, JSONValue.object(foreign).serialized()) == "key: project_id is missing or malformed")
        #expect(throws: CredentialFault.contact) { try VAPIDKey(PushFixture.key(), contact: "a@example.com") }
    }
}

@Suite("Access tokens for FCM", .timeLimit(.minutes(5)))
struct AccessTokenTests {
    @Test("A token is renewed 5 minutes before it expires")
    func renewal() throws {
        let body = Array(#"{"access_token":"ya29","expires_in":3599,"token_type":"Bearer"}"#.utf8)
        let token = try AccessToken(status: 200, body: body, at: UnixTime(1000))
        #expect(token == (try AccessToken(status: 200, body: body, at: UnixTime(1000))))
        #expect(token.text == "ya29")
        #expect(token.renewAt == UnixTime(1000 + 3599 - 300))
    }

    @Test("A refusal is the key's, a failure the server's")
    func refusals() {
        func verdict(_ status: Int, _ body: String) -> PushVerdict? {
            do throws(PushVerdict) {
                _ = try AccessToken(status: status, body: Array(body.utf8), at: UnixTime(0))
                return nil
            } catch {
                return error
            }
        }
        #expect(
            verdict(400, #"{"error":"invalid_grant"}"#)
                == .credentialRefused("invalid_grant", mayBeTheConnection: false))
        #expect(verdict(401, "<html>") == .credentialRefused("status 401", mayBeTheConnection: false))
        for status in [429, 500, 503, 200] {
            #expect(verdict(status, "") == .unavailable("status \(status)", retryAfter: nil))
        }
    }
}
