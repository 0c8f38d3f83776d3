/// Why a challenge is refused (LUD-04, LUD-18).
public enum ChallengeFault: Error, Hashable, Sendable {
    /// It is not 32 bytes, or not their 64 hexadecimal digits.
    case malformed
    /// We have not made it, or not for that name.
    case forged
    /// Its time is over.
    case expired
    /// It has been answered before.
    case used
}
