import LightningCrypto
import Platform
package import ResponderCore
package import ResponderModel
import SQLiteLedger

/// The work of a notification extension: it parses a push message, answers it from the wallet's own node, posts the
/// answer, and returns what to show.
///
/// Everything specific to an app is a parameter. The HTTP service is not linked.
package struct PushAnswerer: Sendable {
    private let reader: NotificationReader
    private let processor: NotificationProcessor
    private let ledger: LedgerDatabase
    private let account: AccountID
    private let texts: NotificationTexts

    /// What is specific to an app.
    package struct Wallet: Sendable {
        /// The ledger file, in a folder shared by the app and its extension.
        package var ledgerPath: String
        /// The account that receives payments.
        package var account: AccountID
        /// The wallet's node.
        package var node: any ReceiveBackend
        /// Decrypts encrypted push messages; nil when there are none.
        package var payloadKey: PayloadKey?
        /// The app's localized texts, by `NotificationTexts.Key`.
        package var words: [String: String]
        /// The key of LUD-18 challenges, which no notification requests: 32 constant bytes.
        package var challengeKey: [UInt8]

        /// Creates a description.
        package init(
            ledgerPath: String,
            account: AccountID,
            node: any ReceiveBackend,
            challengeKey: [UInt8],
            payloadKey: PayloadKey? = nil,
            words: [String: String] = [:]
        ) {
            self.ledgerPath = ledgerPath
            self.account = account
            self.node = node
            self.challengeKey = challengeKey
            self.payloadKey = payloadKey
            self.words = words
        }
    }

    /// Opens the ledger and asks the node for its network.
    ///
    /// - Parameter sender: posts the replies; the default settings suffice for an app.
    package init(_ wallet: Wallet, sender: ReplySender) async throws {
        ledger = try await LedgerDatabase.open(at: wallet.ledgerPath)
        let responder = Responder(
            ledger: ledger,
            backends: [.embedded: wallet.node],
            // No other process records settlements while the app is closed.
            settings: ResponderSettings(challengeKey: SecretBytes(wallet.challengeKey), asksNode: true)
        )
        processor = NotificationProcessor(NotificationResponder(responder), sender: sender, ledger: ledger)
        texts = NotificationTexts(wallet.words)
        reader = NotificationReader(key: wallet.payloadKey)
        account = wallet.account
    }

    /// Answers a push message.
    ///
    /// - Parameters:
    ///   - message: its data as JSON, as the push service delivered it.
    ///   - time: how long the system lets the extension run, less a margin; about 20 s.
    /// - Returns: what to show; nil leaves the message's own text.
    package func answer(_ message: [UInt8], within time: Duration) async -> NotificationText? {
        guard let notification = try? reader.read(message) else { return nil }
        let processed = await processor.process(
            notification, for: account, until: MonotonicTime.now + time)
        let isTaken = processed.delivery.map { $0.outcome == .taken } ?? true
        return isTaken ? texts.text(of: processed) : texts.failureText(of: processed)
    }

    /// Finishes pending work and closes the ledger.
    package func close() async {
        processor.sender.close()
        await ledger.close()
    }
}
