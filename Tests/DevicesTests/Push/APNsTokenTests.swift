import LightningCoding
import LightningCrypto
import Devices
import PushProviders
import TemporaryFolders
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite("Tokens for APNs", .timeLimit(.minutes(1)))
struct APNsTokenTests {
    @Test("Two instances use the same token at every moment, and a new one every 40 minutes")
    func shared() {
        var moments: Set<UInt64> = []
        var long = APNsTokenSchedule()
        for second in stride(from: 1_700_000_000, to: 1_700_000_000 + 24_000, by: 97) as StrideTo<UInt64> {
            var fresh = APNsTokenSchedule()
            let (one, other) = (long.moment(at: UnixTime(second)), fresh.moment(at: UnixTime(second)))
            #expect(one == other)
            moments.insert(one.seconds)
            #expect((60..<2460).contains(second - one.seconds))
        }
        #expect(moments.count == 11)
        #expect(zip(moments.sorted(), moments.sorted().dropFirst()).allSatisfy { $1 - $0 == 2400 })
    }

    @Test("A token refused as expired is replaced at once, but never twice in 20 minutes")
    func refused() {
        var schedule = APNsTokenSchedule()
        let start = schedule.moment(at: UnixTime(2_400_060))
        #expect(start == UnixTime(2_400_000))
        var told = schedule.refused(at: UnixTime(2_401_199))
        #expect(!told)
        #expect(schedule.moment(at: UnixTime(2_401_199)) == start)
        told = schedule.refused(at: UnixTime(2_401_200))
        #expect(told)
        #expect(schedule.moment(at: UnixTime(2_401_201)) == UnixTime(2_401_200))
        told = schedule.refused(at: UnixTime(2_402_000))
        #expect(!told)
    }

    @Test("After a replacement, the next shared moment at least 20 minutes later is used again")
    func back() {
        var schedule = APNsTokenSchedule()
        _ = schedule.moment(at: UnixTime(2_400_060))
        let told = schedule.refused(at: UnixTime(2_401_300))
        #expect(told)
        // The shared moment 2402400 is only 1100 s later, so that the one after it counts; until then 40 minutes are over.
        #expect(schedule.moment(at: UnixTime(2_402_500)) == UnixTime(2_401_300))
        #expect(schedule.moment(at: UnixTime(2_403_699)) == UnixTime(2_401_300))
        #expect(schedule.moment(at: UnixTime(2_403_700)) == UnixTime(2_402_400))
    }

    @Test("After a refusal of a new token the one before is used until it is an hour old, and then the next shared one")
    func tooNew() {
        var schedule = APNsTokenSchedule()
        #expect(schedule.moment(at: UnixTime(2_400_060)) == UnixTime(2_400_000))
        #expect(schedule.moment(at: UnixTime(2_402_460)) == UnixTime(2_402_400))
        schedule.tooNew(at: UnixTime(2_402_461))
        #expect(schedule.moment(at: UnixTime(2_402_461)) == UnixTime(2_400_000))
        #expect(schedule.moment(at: UnixTime(2_403_539)) == UnixTime(2_400_000))
        #expect(schedule.moment(at: UnixTime(2_403_540)) == UnixTime(2_402_400))
        // Without one before there is nothing to go back to.
        var fresh = APNsTokenSchedule()
        _ = fresh.moment(at: UnixTime(2_402_460))
        fresh.tooNew(at: UnixTime(2_402_461))
        #expect(fresh.moment(at: UnixTime(2_402_462)) == UnixTime(2_402_400))
    }

    @Test("An instance that begins shortly before a shared moment has no second token within 19 minutes")
    func begun() {
        var schedule = APNsTokenSchedule()
        #expect(schedule.moment(at: UnixTime(2_402_456)) == UnixTime(2_400_000))
        #expect(schedule.moment(at: UnixTime(2_402_460)) == UnixTime(2_400_000))
        #expect(schedule.moment(at: UnixTime(2_403_539)) == UnixTime(2_400_000))
        #expect(schedule.moment(at: UnixTime(2_403_540)) == UnixTime(2_402_400))
        #expect(schedule.moment(at: UnixTime(2_404_860)) == UnixTime(2_404_800))
        var early = APNsTokenSchedule()
        #expect(early.moment(at: UnixTime(2_402_000)) == UnixTime(2_400_000))
        #expect(early.moment(at: UnixTime(2_403_199)) == UnixTime(2_400_000))
        #expect(early.moment(at: UnixTime(2_403_200)) == UnixTime(2_402_400))
    }

    @Test("A clock that is set back gives up a token from the future")
    func setBack() {
        var schedule = APNsTokenSchedule()
        _ = schedule.refused(at: UnixTime(2_500_000))
        #expect(schedule.moment(at: UnixTime(2_400_060)) == UnixTime(2_400_000))
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

@Suite("Access tokens for FCM", .timeLimit(.minutes(1)))
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
            do throws(AccessTokenRefusal) {
                _ = try AccessToken(status: status, body: Array(body.utf8), at: UnixTime(0))
                return nil
            } catch {
                return error.verdict
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
