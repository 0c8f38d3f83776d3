package import ResponderModel
package import LightningCoding
import LightningCrypto

package enum DeviceStatements {
    /// Raises the time of an installation's newest statement; no row when it is that or later: digest, time.
    package static let raiseTime = """
        INSERT INTO device_statement (digest, signed_at) VALUES ($1, $2)
        ON CONFLICT (digest) DO UPDATE SET signed_at = excluded.signed_at
            WHERE excluded.signed_at > device_statement.signed_at
        RETURNING signed_at
        """

    /// Time.
    package static let pruneStatements =
        "DELETE FROM device_statement WHERE signed_at + \(DeviceProfile.statementMemory) <= $1"

    /// Of an owner. One who is there is locked, and so is not removed before a device or a message is added.
    package static let addOwner = """
        INSERT INTO device_owner (owner, newest) VALUES ($1, 0)
        ON CONFLICT (owner) DO UPDATE SET newest = device_owner.newest
        """

    /// From everybody but an owner's installation: digest of the address, owner, installation, time, reason. Gives when
    /// each was last woken.
    package static let takeAddress = """
        UPDATE device SET \(dropped("$4", "$5")) WHERE address_digest = $1 AND (owner <> $2 OR install <> $3)
        RETURNING last_wake
        """

    /// All but the last ones of an owner that have lost their address.
    package static let trimDropped = """
        DELETE FROM device WHERE owner = $1 AND dropped_at IS NOT NULL AND id NOT IN (
            SELECT id FROM device WHERE owner = $1 AND dropped_at IS NOT NULL
            ORDER BY dropped_at DESC, id DESC LIMIT \(Device.mostOfOwner))
        """

    /// Owner, installation.
    package static let otherDevices = """
        SELECT count(*) AS count FROM device WHERE owner = $1 AND install <> $2 AND dropped_at IS NULL
        """

    /// With the values of `DeviceProfile`.
    package static let putDevice = """
        INSERT INTO device (\(DeviceProfile.columns), unanswered)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 0)
        ON CONFLICT (owner, install) DO UPDATE SET secret_hash = excluded.secret_hash,
            encryption_key = excluded.encryption_key, locale = excluded.locale, platform = excluded.platform,
            environment = excluded.environment, token = excluded.token,
            address_since = excluded.address_since,
            address_digest = excluded.address_digest, last_contact = excluded.last_contact,
            last_wake = CASE WHEN device.last_wake > excluded.last_wake THEN device.last_wake
                ELSE coalesce(excluded.last_wake, device.last_wake) END,
            dropped_at = NULL, drop_reason = NULL
        """

    /// Owner, installation.
    package static let deviceByInstall = Device.query + " WHERE owner = $1 AND install = $2"

    /// Id.
    package static let deviceByID = Device.query + " WHERE device_id = $1"

    /// Hash of the secret.
    package static let deviceBySecret = Device.query + " WHERE secret_hash = $1"

    /// Owner.
    package static let devicesOfOwner = Device.query + " WHERE owner = $1 ORDER BY install"

    /// The ids of those that can be reached: owner.
    package static let liveDevices = "SELECT device_id FROM device WHERE owner = $1 AND dropped_at IS NULL"

    /// Time, limit.
    package static let devicesToWake =
        Device.query + " WHERE wake_due <= $1 AND dropped_at IS NULL ORDER BY wake_due, id LIMIT $2"

    /// Id. Gives the digest of its address and when that was last woken.
    package static let removeDevice = "DELETE FROM device WHERE device_id = $1 RETURNING address_digest, last_wake"

    /// Digest of an address that nobody has now, and when it was last woken.
    package static let keepWake = """
        INSERT INTO woken_address (digest, woken_at) VALUES ($1, $2)
        ON CONFLICT (digest) DO UPDATE SET woken_at = excluded.woken_at
            WHERE excluded.woken_at > woken_address.woken_at
        """

    /// Digest. Gives when the address was last woken.
    package static let takeWake = "DELETE FROM woken_address WHERE digest = $1 RETURNING woken_at"

    /// Time.
    package static let pruneWakes = "DELETE FROM woken_address WHERE woken_at + \(CatchUpState.interval) <= $1"

    /// Id, moment, time, reason.
    package static let dropAddress = """
        UPDATE device SET \(dropped("$3", "$4")) WHERE device_id = $1 AND dropped_at IS NULL AND address_since < $2
        """

    /// Id, and the values of the new and the old `CatchUpState`.
    package static let keepCatchUp = """
        UPDATE device SET last_wake = $2, wake_due = $3, stored_sequence = $4, stored_until = $5, unanswered = $6
        WHERE device_id = $1 AND last_wake IS NOT DISTINCT FROM $7 AND wake_due IS NOT DISTINCT FROM $8
            AND stored_sequence IS NOT DISTINCT FROM $9 AND stored_until IS NOT DISTINCT FROM $10 AND unanswered = $11
        """

    /// The same, and the place of a message.
    package static let keepCatchUpWhilePending = """
        \(keepCatchUp) AND EXISTS (
            SELECT 1 FROM device_pending JOIN device_message ON device_message.id = device_pending.message
            WHERE device_pending.device = device.id AND device_message.sequence = $12)
        """

    private static func dropped(_ time: String, _ reason: String) -> String {
        """
        dropped_at = \(time), drop_reason = \(reason), address_digest = NULL, token = NULL, wake_due = NULL,
            stored_sequence = NULL, stored_until = NULL
        """
    }
}

extension DeviceStatements {
    /// Owner, id.
    package static let messageByID = "\(message) FROM device_message WHERE owner = $1 AND message_id = $2"

    /// Owner.
    package static let countMessage = "UPDATE device_owner SET newest = newest + 1 WHERE owner = $1"

    /// With the values of `DeviceMessage.Content`.
    package static let addMessage = """
        INSERT INTO device_message (\(DeviceMessage.Content.columns), sequence)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, (SELECT newest FROM device_owner WHERE owner = $2))
        """

    /// All but the newest ones: owner.
    package static let trimMessages = """
        DELETE FROM device_message WHERE owner = $1
            AND sequence <= (SELECT newest FROM device_owner WHERE owner = $1) - \(DeviceMessage.Content.mostOfOwner)
        """

    /// Owner, id.
    package static let addPending = """
        INSERT INTO device_pending (device, message)
        SELECT device.id, device_message.id FROM device JOIN device_message ON device_message.owner = device.owner
        WHERE device.owner = $1 AND device.dropped_at IS NULL AND device_message.message_id = $2
        """

    /// Owner.
    package static let count = """
        SELECT newest, (SELECT count(*) FROM device_message WHERE owner = $1 AND read_at IS NULL) AS unread
        FROM device_owner WHERE owner = $1
        """

    /// Owner, id or place, and, to mark as read, the time.
    package static func mark(_ selection: MessageSelection, read: Bool) -> String {
        """
        UPDATE device_message SET read_at = \(read ? "coalesce(read_at, $3)" : "NULL")
        WHERE owner = $1 AND \(selection.condition)
        """
    }

    /// Owner, id.
    package static let removeMessage = "DELETE FROM device_message WHERE owner = $1 AND message_id = $2"

    /// Device, time, place, limit.
    package static let pending = """
        \(message) FROM device_message WHERE expires_at > $2 AND id IN (
            SELECT message FROM device_pending WHERE device = (SELECT id FROM device WHERE device_id = $1))
            AND sequence > $3
        ORDER BY sequence LIMIT $4
        """

    /// Device, id or place.
    package static func confirm(_ selection: MessageSelection) -> String {
        """
        DELETE FROM device_pending WHERE device = (SELECT id FROM device WHERE device_id = $1) AND message IN (
            SELECT id FROM device_message
            WHERE owner = (SELECT owner FROM device WHERE device_id = $1) AND \(selection.condition))
        """
    }

    /// Device, time.
    package static let noteContact = "UPDATE device SET last_contact = $2 WHERE device_id = $1 AND last_contact < $2"

    /// Owner.
    package static let preferences = "SELECT preferences FROM device_owner WHERE owner = $1 AND preferences IS NOT NULL"

    /// Owner, JSON.
    package static let keepPreferences = """
        INSERT INTO device_owner (owner, newest, preferences) VALUES ($1, 0, $2)
        ON CONFLICT (owner) DO UPDATE SET preferences = excluded.preferences
        """

    /// Time.
    package static let pruneMessages = "DELETE FROM device_message WHERE created_at < $1"

    /// Those that have lost their address, and those that were not heard of although nobody has sent them anything: time,
    /// after which messages were made.
    package static let pruneDevices = """
        DELETE FROM device WHERE dropped_at < $1 OR last_contact < $1
            AND NOT EXISTS (SELECT 1 FROM device_pending WHERE device_pending.device = device.id)
        """

    /// Those who have neither devices nor messages, among the first thousand and the thousand behind a key.
    package static let unusedOwners = """
        SELECT owner FROM device_owner WHERE owner IN (
            SELECT owner FROM (SELECT owner FROM device_owner ORDER BY owner LIMIT 1000) AS first_ones
            UNION SELECT owner FROM (
                SELECT owner FROM device_owner WHERE owner > $1 ORDER BY owner LIMIT 1000) AS later_ones)
        AND \(hasNothing)
        """

    /// Owner.
    package static let removeUnusedOwner = "DELETE FROM device_owner WHERE owner = $1 AND \(hasNothing)"

    /// Said of an owner.
    private static let hasNothing = """
        NOT EXISTS (SELECT 1 FROM device WHERE device.owner = device_owner.owner)
        AND NOT EXISTS (SELECT 1 FROM device_message WHERE device_message.owner = device_owner.owner)
        """

    /// Where that key is: each round at another place.
    package static func place(at moment: UnixTime) -> [UInt8] {
        let digest = SHA256.hash("owners \(moment.seconds)".utf8)
        return [2 + digest[0] % 2] + digest
    }

    /// Key.
    package static let providerToken = "SELECT token, issued_at, renew_at FROM provider_token WHERE signer = $1"

    /// Key, token, times, the token that it replaces.
    package static let keepProviderToken = """
        INSERT INTO provider_token (signer, token, issued_at, renew_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (signer) DO UPDATE SET token = excluded.token, issued_at = excluded.issued_at,
            renew_at = excluded.renew_at
            WHERE provider_token.token = $5
        """

    private static let message = "SELECT \(DeviceMessage.columns)"
}

extension MessageSelection {
    fileprivate var condition: String {
        switch self {
        case .ids: "message_id = $2"
        case .upTo: "sequence <= $2"
        }
    }

    /// What selects the messages: one value for each run of the statement.
    package func values() throws(LedgerFault) -> [StoredValue] {
        switch self {
        case .ids(let ids): ids.map { .text($0.text) }
        case .upTo(let sequence): [try .unsigned(min(sequence, UInt64(Int64.max)))]
        }
    }
}

extension ProviderToken {
    package init(_ row: some StoredRow) throws(LedgerFault) {
        self.init(
            text: try row.text("token"), issuedAt: try row.time("issued_at"), renewAt: try row.time("renew_at"))
    }

    /// The values of `DeviceStatements.keepProviderToken`.
    package func values(of key: String, replacing former: ProviderToken?) throws(LedgerFault) -> [StoredValue] {
        [.text(key), .text(text), try .time(issuedAt), try .time(renewAt), .optionalText(former?.text)]
    }
}
