public import Delivering
public import LNURL
public import LightningCoding
import LightningCrypto
public import Receiving
public import Responding
import SQLiteLedger

/// What a notification extension does with a push message: it reads it, answers it from the wallet's own node, posts the
/// answer, and says what to show.
///
/// Everything that an app must decide is a parameter. Nothing of the HTTP service is linked.
public struct PushAnswerer: Sendable {
    private let reader: NotificationReader
    private let responder: NotificationResponder
    private let courier: ReplyCourier
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
    /// - Parameter courier: posts the replies; an app needs no other settings than the usual ones.
    public init(_ wallet: Wallet, courier: ReplyCourier) async throws {
        ledger = try await LedgerDatabase.open(at: wallet.ledgerPath)
        responder = NotificationResponder(
            Responder(
                ledger: ledger,
                backends: [.embedded: wallet.node],
                settings: ResponderSettings(
                    publicURL: wallet.publicURL, challengeKey: SecretBytes(wallet.challengeKey))
            ),
            // Nobody else writes settlements down while the app is closed.
            settings: NotificationSettings(asksNode: true, texts: NotificationTexts(wallet.words))
        )
        reader = NotificationReader(key: wallet.payloadKey)
        account = wallet.account
        self.courier = courier
    }

    /// Answers a push message.
    ///
    /// - Parameters:
    ///   - message: its data as JSON: on Apple's systems `userInfo`, on Android the message's data.
    ///   - time: how long the system lets the extension live, less a margin; about 20 s.
    /// - Returns: what to show; nil leaves what the message itself brought.
    public func answer(_ message: [UInt8], within time: Duration) async -> NotificationText? {
        guard let notification = try? reader.read(message) else { return nil }
        let end = ContinuousClock.now + time
        // A quarter of the time is kept for the posting.
        var handled = await responder.handle(
            notification, for: account, until: MonotonicClock.system.now() + time * 3 / 4)
        var text = handled.text
        if let reply = handled.reply, let replyURL = notification.replyURL {
            let report = await courier.deliver(body: reply.body, maxAge: reply.maxAge, to: replyURL, deadline: end)
            handled.record.delivery = report.outcome.logged
            handled.record.steps.append(EventRecord.Step("delivery", milliseconds: report.milliseconds))
            if report.outcome != .taken { text = handled.failureText }
        }
        // The answer has left; a log that cannot be written changes nothing for the payer.
        try? await ledger.record(handled.record)
        return text
    }

    /// Finishes what was begun and closes the ledger.
    public func close() async {
        courier.close()
        await ledger.close()
    }
}

extension DeliveryOutcome {
    /// How the event log calls it.
    fileprivate var logged: EventRecord.Delivery {
        switch self {
        case .taken: .taken
        case .uncertain: .uncertain
        case .forbidden: .forbidden
        case .refused, .unreachable, .outOfTime, .overloaded: .failed
        }
    }
}
