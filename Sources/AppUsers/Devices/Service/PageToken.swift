package import LightningCoding
package import LightningCrypto
import Platform
package import ResponderModel

/// What a browser shows to see the messages of a device's owner. Nothing of it is stored: it names the device and its last
/// second, and the service's code covers these and the device's secret, with which it ends.
package struct PageToken: Sendable {
    /// What it allows.
    package enum Purpose: String, Sendable {
        /// Opening the page in a browser, once.
        case link
        case session

        /// How long it is valid, in seconds.
        package var lifetime: UInt64 {
            switch self {
            case .link: 120
            case .session: 12 * 3600
            }
        }
    }

    package let device: DeviceID
    package let expires: UnixTime
    /// 96 characters of base64url.
    package let text: String
    /// Device, last second and a random number.
    fileprivate let claim: [UInt8]
    fileprivate let code: [UInt8]

    private static let deviceCount = 16
    fileprivate static let nonceCount = 16
    private static let claimCount = deviceCount + 8 + nonceCount

    /// Reads a token, whoever made it; nil when it is none.
    package init?(_ text: String) {
        guard let bytes = try? Base64URL.decode(text), bytes.count == Self.claimCount + SHA256.byteCount,
            let device = DeviceID(Array(bytes.prefix(Self.deviceCount)))
        else { return nil }
        self.device = device
        let time = bytes.dropFirst(Self.deviceCount).prefix(8)
        expires = UnixTime(time.reduce(0) { $0 << 8 | UInt64($1) })
        self.text = text
        claim = Array(bytes.prefix(Self.claimCount))
        code = Array(bytes.dropFirst(Self.claimCount))
    }

    fileprivate init(_ device: DeviceID, _ expires: UnixTime, _ claim: [UInt8], _ code: [UInt8]) {
        self.device = device
        self.expires = expires
        self.claim = claim
        self.code = code
        text = Base64URL.encode(claim + code)
    }
}

/// Makes tokens and knows them again. All instances have the same key.
package struct PageKey: Sendable {
    private let key: HMACSHA256.Keyed

    package init(_ secret: SecretBytes) {
        key = HMACSHA256.Keyed(secret)
    }

    /// A token for a device's owner.
    package func token(
        _ purpose: PageToken.Purpose, for device: Device, at now: UnixTime, random: RandomSource
    ) throws(CryptoFault) -> PageToken {
        let expires = now.adding(seconds: purpose.lifetime)
        var claim = ByteWriter()
        claim.write(device.id.bytes)
        claim.writeUInt64(expires.seconds)
        claim.write(try random(PageToken.nonceCount))
        return PageToken(device.id, expires, claim.bytes, code(purpose, claim.bytes, device))
    }

    /// Whether a token was made for that purpose and device, and is still valid; compared in constant time.
    package func admits(_ token: PageToken, as purpose: PageToken.Purpose, of device: Device, at now: UnixTime) -> Bool
    {
        ConstantTime.equal(code(purpose, token.claim, device), token.code) && now < token.expires
    }

    private func code(_ purpose: PageToken.Purpose, _ claim: [UInt8], _ device: Device) -> [UInt8] {
        key.authenticate(Array(purpose.rawValue.utf8) + device.profile.secretHash, claim)
    }

    /// What every form of a session carries, so that no other site can send one.
    package func formCode(of session: PageToken) -> String {
        Base64URL.encode(key.authenticate(Array("form".utf8), session.claim))
    }

    /// Whether a form is of that session; compared in constant time.
    package func admits(form code: String, of session: PageToken) -> Bool {
        ConstantTime.equal(Array(code.utf8), Array(formCode(of: session).utf8))
    }
}

/// Which links have been used: each opens the page once, at one of all instances.
package final class UsedLinks: Sendable {
    private let shared: (any SharedRates)?
    private let limiter: Guarded<RateLimiter<String>>?
    /// What was used before is forgotten.
    private let start: UnixTime

    /// Longer than a link is valid.
    private static let interval = Duration.seconds(600)

    /// - Parameter shared: counts over all instances; nil for one alone.
    package init(shared: (any SharedRates)?, at start: UnixTime) {
        self.shared = shared
        self.start = start
        limiter = RateLimit(burst: 1, interval: Self.interval).map { Guarded(RateLimiter($0)) }
    }

    /// Uses a link; false when it was used before, or when that is no longer known.
    package func use(_ link: PageToken) async throws(LedgerFault) -> Bool {
        if let shared {
            return try await shared.take(Array("link \(link.text)".utf8), every: Self.interval, burst: 1) == nil
        }
        guard let limiter, link.expires >= start.adding(seconds: PageToken.Purpose.link.lifetime) else { return false }
        return limiter.withLock { $0.take(link.text, at: .now) == nil }
    }
}
