public import LNURL
public import LightningCoding

/// What a running service tells the others on its ledger.
public struct InstanceRecord: Hashable, Sendable {
    /// Its id.
    public let id: InstanceID
    /// What the operator calls it.
    public let name: InstanceName
    /// Its process.
    public let process: Int32
    /// The version of the software.
    public let version: String
    /// When it started.
    public let startedAt: UnixTime
    /// Where it serves payers.
    public var payers: ListenAddress
    /// Where it serves its operator.
    public var admin: ListenAddress
    /// The URL that it gives out for the main domain; nil for a version that does not tell.
    public let publicURL: PublicURL?
    /// Of the keys that it uses.
    public let keys: KeysFingerprint
    /// Whether it has a settlement webhook for all accounts.
    public let tellsSettlementsOfAll: Bool

    /// Creates a record.
    public init(
        id: InstanceID, name: InstanceName, process: Int32, version: String, startedAt: UnixTime,
        payers: ListenAddress, admin: ListenAddress, publicURL: PublicURL?, keys: KeysFingerprint,
        tellsSettlementsOfAll: Bool = false
    ) {
        self.id = id
        self.name = name
        self.process = process
        self.version = version
        self.startedAt = startedAt
        self.payers = payers
        self.admin = admin
        self.publicURL = publicURL
        self.keys = keys
        self.tellsSettlementsOfAll = tellsSettlementsOfAll
    }
}

/// An instance as the ledger knows it.
public struct InstanceStatus: Hashable, Sendable {
    /// What it has told.
    public let record: InstanceRecord
    /// When it was last heard of, by the ledger's clock.
    public let seenAt: UnixTime
    /// The leases that it holds, by their names.
    public let leases: [LeaseName]

    /// Whether it was heard of lately. One that was killed stays listed until another instance forgets it.
    public func isAlive(at now: UnixTime) -> Bool { now.seconds(since: seenAt) <= Self.silence }

    /// How long a running instance is silent at most, in seconds: twice the longest pause between heartbeats.
    public static let silence: UInt64 = 120

    /// Creates a status.
    public init(record: InstanceRecord, seenAt: UnixTime, leases: [LeaseName]) {
        self.record = record
        self.seenAt = seenAt
        self.leases = leases
    }
}
