package import LightningCoding
package import LightningCrypto
package import OutboundHTTP

/// The account with which a program uses Firebase Cloud Messaging.
///
/// Source: Google, "Using OAuth 2.0 for Server to Server Applications".
package struct ServiceAccount: Sendable {
    package let project: String
    package let tokenURL: HTTPURL
    private let email: String
    private let keyID: String
    private let key: RSASecretKey

    package init(project: String, email: String, keyID: String, tokenURL: HTTPURL, _ key: RSASecretKey) {
        self.project = project
        self.email = email
        self.keyID = keyID
        self.tokenURL = tokenURL
        self.key = key
    }

    /// Reads the JSON file that Google gave out, of mode 0600.
    package init(file path: String) throws(CredentialFault) {
        let contents = try CredentialFile.contents(path)
        guard let json = try? JSONValue(parsing: contents), json["type"]?.string == "service_account" else {
            throw .serviceAccount(path: path, member: "")
        }
        func text(_ member: String) throws(CredentialFault) -> String {
            guard let text = json[member]?.string, !text.isEmpty else {
                throw .serviceAccount(path: path, member: member)
            }
            return text
        }
        let project = try text("project_id")
        guard project.utf8.allSatisfy(Self.isProjectCharacter) else {
            throw .serviceAccount(path: path, member: "project_id")
        }
        let pem = try text("private_key")
        guard let key = try? RSASecretKey(pem: Array(pem.utf8)) else {
            throw .serviceAccount(path: path, member: "private_key")
        }
        guard let tokenURL = try? HTTPURL(text("token_uri")) else {
            throw .serviceAccount(path: path, member: "token_uri")
        }
        self.init(
            project: project, email: try text("client_email"), keyID: try text("private_key_id"), tokenURL: tokenURL,
            key)
    }

    private static func isProjectCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: ":"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    package func tokenRequest(at now: UnixTime) throws(CryptoFault) -> HTTPRequest {
        let assertion = try JSONWebToken.signed(
            header: ["alg": "RS256", "typ": "JWT", "kid": .string(keyID)],
            claims: [
                "iss": .string(email), "scope": "https://www.googleapis.com/auth/firebase.messaging",
                "aud": .string(tokenURL.text), "iat": .unsigned(now.seconds),
                "exp": .unsigned(now.adding(seconds: 3600).seconds),
            ], by: key.sign)
        let form = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=" + assertion
        return HTTPRequest(.post, tokenURL, headers: [.formContent], body: Array(form.utf8), timeout: .seconds(10))
    }
}

package struct AccessToken: Hashable, Sendable {
    package let text: String
    /// From when on a new one is to be used: 5 minutes before it expires.
    package let renewAt: UnixTime

    /// Reads the answer to ``ServiceAccount/tokenRequest(at:)``.
    ///
    /// - Throws: the verdict when it is a refusal or unreadable: `credentialRefused` or `unavailable`.
    package init(_ response: HTTPResponse, at now: UnixTime) throws(PushVerdict) {
        try self.init(status: response.status, body: response.body, at: now)
    }

    package init(status: Int, body: [UInt8], at now: UnixTime) throws(PushVerdict) {
        let json = try? JSONValue(parsing: body)
        guard status == 200, let text = json?["access_token"]?.string, let seconds = json?["expires_in"]?.uint64 else {
            let reason = json?["error"]?.string ?? "status \(status)"
            let isRefused = (400..<500).contains(status) && status != 429
            throw isRefused
                ? .credentialRefused(reason, mayBeTheConnection: false) : .unavailable(reason, retryAfter: nil)
        }
        self.text = text
        renewAt = now.adding(seconds: seconds > 300 ? seconds - 300 : 0)
    }
}
