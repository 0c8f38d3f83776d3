import Bolt11
import Bolt12
import Conformance
import LNURL
import LightningCoding
import OnionMessages
import OnionPeer
import OutboundHTTP
import QRCodes

/// Why a command failed.
enum ToolFault: Error {
    // Arguments
    case commandLine(String)
    case target(TargetFault, String)
    case notAskable
    case notForPaying(LNURLScheme)
    case amount(AmountFault, String)
    case amountOutOfRange(minimum: Millisatoshi, maximum: Millisatoshi)
    case commentTooLong(allowed: Int)
    case payerDataNotAsked
    case missingPayerData([String])
    case publicKey
    case authKey
    case preimage
    case preimageNeeded
    case answerText
    case invoice(Bolt11Fault)
    case url(URLFault)
    case clearnetHTTP
    case noScheme
    case symbol(QRFault)

    // BOLT12
    case bolt12Text
    case otherDocument(expected: [Bolt12Text.Kind])
    case offer(OfferFault)
    case invoiceRequest(InvoiceRequestFault)
    case bolt12Invoice(InvoiceFault)
    case terms(InvoiceRequestFault)
    case answersNoOffer
    case requestIsSigned
    case keyFileNeeded
    case payerKey

    // Files
    case unreadable(String)
    case notText(String)
    case tooLongInput(String)
    case openToOthers(String)
    case noRandomness
    case unwritable(String)
    case binaryToTerminal
    case vectors(VectorFault)

    // The service
    case network(OutboundFault, HTTPURL)
    case redirected(to: String?, status: Int)
    case notJSON(JSONFault, type: String?, status: Int)
    case refused(reason: String, status: Int)
    case answer(LNURLFault)
    case servedInvoice(Bolt11Fault)
    case servedBolt12Invoice(InvoiceFault)
    case webhookAnswer(status: Int)
    case unavailable(status: Int)
    case action(SuccessActionFault)
    case otherPreimage

    // The Lightning network
    case noWay
    case tooLongForMessage
    case peer(ConnectionEnd, PeerAddress)
    case peerLost
    case noMessage
    case messageRefused(reason: String)
    case servedInvoiceError

    // Notifications
    case signingKey
    case cannotListen(port: UInt16)
    case noReply(seconds: Double)
    case replyNotJSON(JSONFault)
}

extension ToolFault {
    var status: ExitStatus {
        switch self {
        case .target, .notAskable, .notForPaying, .amountOutOfRange, .commentTooLong, .payerDataNotAsked,
            .missingPayerData, .publicKey, .authKey, .preimage, .preimageNeeded, .answerText, .invoice, .url,
            .clearnetHTTP, .noScheme, .symbol, .bolt12Text, .otherDocument, .offer, .invoiceRequest, .bolt12Invoice,
            .terms, .answersNoOffer, .payerKey, .signingKey, .otherPreimage, .action(.wrongPreimage), .noWay,
            .tooLongForMessage, .notText, .tooLongInput:
            .badInput
        case .commandLine, .amount, .requestIsSigned, .keyFileNeeded: .usage
        case .unreadable, .openToOthers, .noRandomness, .vectors: .unreadableFile
        case .unwritable, .binaryToTerminal: .unwritableFile
        case .network, .unavailable, .noReply, .cannotListen, .peer, .peerLost, .noMessage: .noAnswer
        case .redirected, .notJSON, .replyNotJSON, .answer, .servedInvoice, .servedBolt12Invoice, .webhookAnswer,
            .action, .servedInvoiceError:
            .brokenRule
        case .refused, .messageRefused: .refused
        }
    }

    /// The fault's stable name for programs.
    var name: String {
        switch self {
        case .commandLine: "command-line"
        case .target: "target"
        case .notAskable: "not-askable"
        case .notForPaying: "not-for-paying"
        case .amount: "amount"
        case .amountOutOfRange: "amount-out-of-range"
        case .commentTooLong: "comment-too-long"
        case .payerDataNotAsked: "payer-data-not-asked"
        case .missingPayerData: "missing-payer-data"
        case .publicKey: "public-key"
        case .authKey: "auth-key"
        case .preimage: "preimage"
        case .preimageNeeded: "preimage-needed"
        case .answerText: "answer-text"
        case .invoice: "invoice"
        case .url: "url"
        case .clearnetHTTP: "clearnet-http"
        case .noScheme: "no-scheme"
        case .symbol: "qr"
        case .bolt12Text: "bolt12-text"
        case .otherDocument: "other-document"
        case .offer: "offer"
        case .invoiceRequest: "invoice-request"
        case .bolt12Invoice: "invoice"
        case .terms: "terms"
        case .answersNoOffer: "answers-no-offer"
        case .requestIsSigned: "request-is-signed"
        case .keyFileNeeded: "key-file-needed"
        case .payerKey: "payer-key"
        case .unreadable: "unreadable"
        case .notText: "not-text"
        case .tooLongInput: "too-long-input"
        case .openToOthers: "open-to-others"
        case .noRandomness: "no-randomness"
        case .unwritable: "unwritable"
        case .binaryToTerminal: "binary-to-terminal"
        case .vectors: "vectors"
        case .network(let fault, _): fault.name
        case .redirected: "redirected"
        case .notJSON: "not-json"
        case .refused: "service-error"
        case .answer: "answer"
        case .servedInvoice, .servedBolt12Invoice: "served-invoice"
        case .webhookAnswer: "webhook-answer"
        case .unavailable: "unavailable"
        case .action: "success-action"
        case .otherPreimage: "other-preimage"
        case .noWay: "no-way"
        case .tooLongForMessage: "too-long-for-message"
        case .peer: "peer"
        case .peerLost: "connection-lost"
        case .noMessage: "timeout"
        case .messageRefused: "invoice-error"
        case .servedInvoiceError: "served-invoice-error"
        case .signingKey: "signing-key"
        case .cannotListen: "cannot-listen"
        case .noReply: "no-reply"
        case .replyNotJSON: "reply-not-json"
        }
    }

    /// The object of `--json`: the name, the explanation, the service's text, and the broken BOLT 12 rule, under its
    /// name in the vectors.
    var json: JSONObject {
        var fault: JSONObject = ["name": .string(name), "message": .string(explanation)]
        switch self {
        case .refused(let reason, let status):
            fault.append("reason", .string(reason))
            fault.append("httpStatus", .integer(status))
        case .messageRefused(let reason): fault.append("reason", .string(reason))
        case .redirected(_, let status), .notJSON(_, _, let status), .webhookAnswer(let status),
            .unavailable(let status):
            fault.append("httpStatus", .integer(status))
        case .offer(let broken): fault.append("rule", .string(broken.rule))
        case .invoiceRequest(let broken), .terms(let broken): fault.append("rule", .string(broken.rule))
        case .bolt12Invoice(let broken), .servedBolt12Invoice(let broken):
            fault.append("rule", .string(broken.rule))
        default: break
        }
        return ["ok": false, "fault": .object(fault)]
    }
}

extension OutboundFault {
    fileprivate var name: String {
        switch self {
        case .resolve: "no-such-host"
        case .connect: "connection-refused"
        case .refusedAddress: "refused-address"
        case .onionWithoutProxy: "onion-without-proxy"
        case .proxy: "proxy"
        case .otherKey: "other-key"
        case .tls: "tls"
        case .handshake: "tls-handshake"
        case .timeout: "timeout"
        case .connectionLost: "connection-lost"
        case .malformedResponse: "malformed-response"
        case .headersTooLarge: "headers-too-large"
        case .bodyTooLarge: "body-too-large"
        case .cancelled, .overloaded, .closed, .other: "network"
        }
    }
}
