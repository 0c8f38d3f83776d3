/// Why a challenge is refused (LUD-04, LUD-18).
public enum ChallengeFault: Error, Hashable, Sendable {
    /// It is not 32 bytes, or not their 64 hexadecimal digits.
    case malformed
    /// We did not create it, or not for that name.
    case forged
    /// It has expired.
    case expired
    /// It was already used.
    case used
}
