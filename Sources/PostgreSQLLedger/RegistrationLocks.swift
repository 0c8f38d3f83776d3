import Contracts
import LNURL
import LightningCoding
import LightningCrypto
import PostgreSQLStorage

/// What only one transaction at a time may decide on. A name is locked by whoever gives it to an account or a
/// registration: it may be in neither table, so that there is no row to lock.
enum RegistrationLock {
    case name(AccountID)
    case key(RegistrationID)

    /// The number of an advisory lock. Two locks with the same number only wait for each other.
    fileprivate var number: Int64 {
        let bytes: [UInt8] =
            switch self {
            case .name(let account): Array("name \(account.text)".utf8)
            case .key(let id): Array("key \(id.key.hexadecimal)@\(id.domain)".utf8)
            }
        return Int64(bitPattern: SHA256.hash(bytes).prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }
}

extension ServerLedger {
    /// Locks until the transaction ends, in an order that is the same for all, so that nobody waits in a circle. The domain
    /// stays meanwhile.
    static func lock(_ locks: [RegistrationLock], in domain: DomainName) -> Query {
        Query(
            """
            SELECT pg_advisory_xact_lock_shared(hashtextextended('registrations of ' || $1, 0))
            UNION ALL SELECT pg_advisory_xact_lock(number) FROM unnest($2::bigint[]) AS number
            """,
            [.text(domain.text), .integers(Set(locks.map(\.number)).sorted())])
    }

    /// Waits until nobody decides on a registration of a domain, and keeps others from it.
    static func lockRegistrations(in domain: DomainName) -> Query {
        Query(
            "SELECT pg_advisory_xact_lock(hashtextextended('registrations of ' || $1, 0))", [.text(domain.text)])
    }
}
