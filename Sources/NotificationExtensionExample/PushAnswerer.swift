public import Notifications
public import LNURL
public import LightningCoding
import LightningCrypto
public import Contracts
public import ResponderCore
import SQLiteLedger

/// What a notification extension does with a push message: it reads it, answers it from the wallet's own node, posts the
/// answer, and says what to show.
///
/// Everything that an app must decide is a parameter. Nothing of the HTTP service is linked.
public struct PushAnswerer: Sendable {
    private let reader: NotificationReader
    private let processor: NotificationProcessor
    private let ledger: LedgerDatabase
    private let account: AddressName

    /// What an app must decide.
    public struct Wallet: Sendable {
        /// The ledger's file, in a folder that the app and its extension share.
        public var ledgerPath: String
        /// The account that payers pay.
        public var account: AddressName
        /// The wallet's node.
        public var node: any ReceiveBackend
        /// Where payers reach the account, for the URLs in answers to those who come without a notification.
        public var publicURL: HTTPURL
        /// Opens encrypted push messages; nil when none come.
        public var payloadKey: PayloadKey?
        /// The app's table of words, by `NotificationTexts.Key`.
        public var words: [String: String]
        /// Keys the challenges of LUD-18, which no notification asks for: 32 bytes that stay the same.
        public var challengeKey: [UInt8]

        /// Creates a description.
        public init(
            ledgerPath: String,
            account: AddressName,
            node: any ReceiveBackend,
            publicURL: HTTPURL,
            challengeKey: [UInt8],
            payloadKey: PayloadKey? = nil,
            words: [String: String] = [:]
        ) {
            self.ledgerPath = ledgerPath
            self.account = account
            self.node = node
            self.publicURL = publicURL
            self.challengeKey = challengeKey
            self.payloadKey = payloadKey
            self.words = words
        }
    }

    /// Opens the ledger, asks the node for its network, and gets ready to post.
    ///
    /// - Parameter sender: posts the replies; an app needs no other settings than the usual ones.
    public init(_ wallet: Wallet, sender: ReplySender) async throws {
        ledger = try await LedgerDatabase.open(at: wallet.ledgerPath)
        let responder = Responder(
            ledger: ledger,
            backends: [.embedded: wallet.node],
            settings: ResponderSettings(publicURL: wallet.publicURL, challengeKey: SecretBytes(wallet.challengeKey))
        )
        // Nobody else writes settlements down while the app is closed.
        let settings = NotificationSettings(asksNode: true, texts: NotificationTexts(wallet.words))
        processor = NotificationProcessor(
            NotificationResponder(responder, settings: settings), sender: sender, ledger: ledger)
        reader = NotificationReader(key: wallet.payloadKey)
        account = wallet.account
    }

    /// Answers a push message.
    ///
    /// - Parameters:
    ///   - message: its data as JSON, as the push service delivered it.
    ///   - time: how long the system lets the extension live, less a margin; about 20 s.
    /// - Returns: what to show; nil leaves what the message itself brought.
    public func answer(_ message: [UInt8], within time: Duration) async -> NotificationText? {
        guard let notification = try? reader.read(message) else { return nil }
        let processed = await processor.process(
            notification, for: account, until: MonotonicClock.system.now() + time)
        let isTaken = processed.delivery.map { $0.outcome == .taken } ?? true
        return isTaken ? processed.handled.text : processed.handled.failureText
    }

    /// Finishes what was begun and closes the ledger.
    public func close() async {
        processor.sender.close()
        await ledger.close()
    }
}
