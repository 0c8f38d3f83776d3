package import LightningCoding
import LightningCrypto
package import ResponderModel

/// What a wallet signs to register a device (wake v1): twelve lines, signed with its node's key as a Lightning message.
///
/// Of the identities one must be a node's, `ln:<node id>`; it is the owner. Others are part of the text, and get no rights
/// from it.
package struct DeviceStatement: Hashable, Sendable {
    package let profile: DeviceProfile
    package let address: PushAddress
    /// When it was signed, by the wallet's clock.
    package let time: UnixTime
    private let app: String
    private let identities: [String]
    private let topics: [String]
    private let signature: String

    /// How far the wallet's clock may be from ours, in seconds.
    package static let tolerance: UInt64 = 600
    private static let mostEntries = 50

    /// Reads the body of a registration.
    ///
    /// - Parameters:
    ///   - members: `app`, `platform`, `environment`, `push_token`, `encryption_key`, `secret_sha256`, `identities`,
    ///     `topics`, `ts`, `proofs`, and perhaps `locale`, which is not signed.
    ///   - install: the installation, from the path.
    package init(_ members: JSONMembers<DeviceStatementFault>, of install: InstallID) throws(DeviceStatementFault) {
        app = try members.text("app")
        guard app.isVisibleASCII(upTo: 64) else { throw members.fault("app") }
        identities = try Self.list("identities", in: members)
        topics = try Self.list("topics", in: members)
        time = UnixTime(try members.unsigned("ts"))
        let nodes = identities.filter { $0.begins(with: Self.nodePrefix) }
        guard nodes.count == 1, let identity = nodes.first,
            let owner = try? PublicKey(hexadecimal: identity.dropFirst(Self.nodePrefix.count)),
            identity.isExactly(Self.identity(of: owner))
        else { throw members.fault("identities") }
        signature = try Self.signature(of: identity, in: members)
        let (platform, environment) = (try members.text("platform"), try members.text("environment"))
        address = try members.parsed("push_token") {
            PushAddress(platform: platform, environment: environment, token: $0)
        }
        let locale = try members.optionalText("locale")
        guard locale?.isVisibleASCII(upTo: 35) ?? true else { throw members.fault("locale") }
        profile = DeviceProfile(
            owner: owner, install: install, secretHash: try Self.digest("secret_sha256", in: members),
            encryptionKey: try members.parsed("encryption_key") { text in
                let key = try PublicKey(hexadecimal: text)
                return text.isExactly(key.hexadecimal) ? key : nil
            }, locale: locale)
    }

    /// The text that is signed.
    ///
    /// - Parameter audience: whom the statement is for: the host of the service.
    package func text(for audience: String) -> String {
        let key = profile.encryptionKey?.hexadecimal ?? ""
        return [
            "wake-register-v1", "aud:\(audience)", "app:\(app)", "install:\(profile.install)",
            "platform:\(address.platform)", "environment:\(address.environment.rawValue)",
            "push_token:\(address.token)", "encryption_key:\(key)",
            "secret_sha256:\(Hexadecimal.encode(profile.secretHash))",
            "identities:\(identities.joined(separator: ","))", "topics:\(topics.joined(separator: ","))",
            "ts:\(time.seconds)",
        ].joined(separator: "\n")
    }

    /// Checks who has signed, and when.
    package func check(for audience: String, at now: UnixTime) throws(DeviceStatementFault) {
        guard time.seconds(since: now) <= Self.tolerance, now.seconds(since: time) <= Self.tolerance else {
            throw .time
        }
        guard LightningMessage.verifies(signature, message: text(for: audience), by: profile.owner) else {
            throw .signature
        }
    }

    private static let nodePrefix = "ln:"

    /// What stands for an owner in a statement: `ln:<node id>`.
    static func identity(of owner: PublicKey) -> String { nodePrefix + owner.hexadecimal }

    /// Entries without a comma, each once, sorted by their bytes.
    private static func list(
        _ key: String, in members: JSONMembers<DeviceStatementFault>
    ) throws(DeviceStatementFault) -> [String] {
        let values = try members.array(key)
        guard values.count <= mostEntries else { throw members.fault(key) }
        var entries: Set<ExactText> = []
        for value in values {
            guard let text = value.string, text.isVisibleASCII(upTo: 128), !text.utf8.contains(UInt8(ascii: ",")) else {
                throw members.fault(key)
            }
            entries.insert(ExactText(text))
        }
        return entries.map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private static func signature(
        of identity: String, in members: JSONMembers<DeviceStatementFault>
    ) throws(DeviceStatementFault) -> String {
        let proofs = try members.elements("proofs")
        guard proofs.count <= mostEntries else { throw members.fault("proofs") }
        for proof in proofs where try proof.text("identity").isExactly(identity) { return try proof.text("sig") }
        throw members.fault("proofs")
    }

    private static func digest(
        _ key: String, in members: JSONMembers<DeviceStatementFault>
    ) throws(DeviceStatementFault) -> [UInt8] {
        let text = try members.text(key)
        guard let bytes = try? Hexadecimal.decode(text), bytes.count == SHA256.byteCount,
            text.isExactly(Hexadecimal.encode(bytes))
        else { throw members.fault(key) }
        return bytes
    }
}

package enum DeviceStatementFault: JSONMemberFault, ReadableFault, Hashable {
    /// A member is missing or malformed.
    case member(String, JSONMemberProblem)
    /// The wallet's clock is too far from ours.
    case time
    /// The owner has not signed this, or not for this service.
    case signature

    package init(member path: String, _ problem: JSONMemberProblem) { self = .member(path, problem) }

    package var reason: String {
        switch self {
        case .member(let path, let problem): DeviceMemberFault(member: path, problem).reason
        case .time: "ts is more than \(DeviceStatement.tolerance) seconds away from the server's clock"
        case .signature: "the owner has not signed this registration for this service"
        }
    }
}
