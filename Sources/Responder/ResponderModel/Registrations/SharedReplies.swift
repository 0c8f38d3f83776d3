import LightningCrypto

/// Hands the replies of devices from instance to instance: a reply may reach any of them, and its payers wait at one.
///
/// What is written here is over after half a minute, and need not survive a crash.
package protocol SharedReplies: Sendable {
    /// Notes that a reply is expected here, for that time.
    func expect(_ digest: ReplyDigest, within time: Duration) async throws(LedgerFault)

    /// Notes that a reply is expected no longer.
    func forget(_ digest: ReplyDigest) async throws(LedgerFault)

    /// Hands a reply to the instance that expects it.
    ///
    /// - Returns: whether one does, and has not been given another reply.
    func hand(_ reply: DeviceReply, for digest: ReplyDigest) async throws(LedgerFault) -> Bool

    /// What others have handed over; waits until there is something. Empty when the task is canceled.
    func handedOver() async throws(LedgerFault) -> [HandedReply]
}

package struct HandedReply: Hashable, Sendable {
    package let digest: ReplyDigest
    package let reply: DeviceReply

    package init(_ reply: DeviceReply, for digest: ReplyDigest) {
        self.digest = digest
        self.reply = reply
    }
}

/// Stands for a question to a device where others can read it: SHA-256 of the number that entitles to answer it.
package struct ReplyDigest: Hashable, Sendable {
    /// 32 bytes.
    package let bytes: [UInt8]

    package init(of number: UInt64) {
        bytes = SHA256.hash("reply \(number)".utf8)
    }

    /// Exactly 32 bytes; nil otherwise.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == SHA256.byteCount else { return nil }
        self.bytes = bytes
    }
}

package struct DeviceReply: Hashable, Sendable {
    package let body: [UInt8]
    /// For how many seconds it may be given again (`Cache-Control: max-age`); nil when it does not say.
    package let maxAge: UInt64?

    package init(_ body: [UInt8], maxAge: UInt64? = nil) {
        self.body = body
        self.maxAge = maxAge
    }
}
