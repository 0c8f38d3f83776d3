import Platform
import ArgumentParser
import LightningCoding
import LightningCrypto
import OutboundHTTP
import ResponderCore

struct Notify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Send a notification to a webhook, wait for the reply, and check it.",
        discussion: """
            Acts as an LNURL service or a swap service: posts the notification, and listens on this \
            machine for the reply. The receiver must allow reply URLs on this machine \
            (lightning-responder serve --replies-allow-loopback).

            TYPES AND THEIR OPTIONS
            \(NotificationKind.table)

            The first four get an answer: posted to the reply URL, or, for a swap service (invoice.request), in \
            the HTTP response; --reply chooses. Any other TYPE is sent with the payload in --data, and its reply awaited \
            if --reply says where. --data also replaces members, to see what is done with bad ones: --data '{"amount":-1}'.

            EXAMPLES
              lnurl notify https://example.com/webhook/alice/7c1b… lnurlpay_info \
            --callback-url https://example.com/cb
              lnurl notify - lnurlpay_invoice --amount 21sat --comment hi --metadata '[["text/plain","Alice"]]' \
            < webhook.url
              lnurl notify https://example.com/webhook/alice lnurlpay_verify --payment-hash 2c26… \
            --envelope push --signing-key-file webhook.key
              lnurl notify - invoice.request --invoice-request lnr1… < webhook.url
              lnurl notify - swap.update --id 5e88… --status transaction.mempool < webhook.url
            """
    )

    @Argument(help: "The webhook's URL, often a secret: \"-\" takes it from standard input.")
    var webhook: String

    @Argument(help: "The type of the notification.")
    var type: String

    @Option(
        help: ArgumentHelp(
            "The envelope: template, event, push or push-body. By default event for names with a dot, else template.",
            valueName: "form"))
    var envelope: NotificationEnvelope?

    @OptionGroup(title: "Payload") var fields: NotificationOptions

    @Option(help: ArgumentHelp("The metadata of the account, which the invoice must commit to.", valueName: "text"))
    var metadata: String?

    @Option(help: ArgumentHelp("Where the answer is expected: url or response.", valueName: "way"))
    var reply: ReplyWay?

    @Option(help: ArgumentHelp("How long to wait for the reply after the webhook's answer.", valueName: "seconds"))
    var wait: Double = 30

    @Option(help: ArgumentHelp("Listen for the reply on this port; any free one by default.", valueName: "port"))
    var listenPort: UInt16 = 0

    @Option(
        help: ArgumentHelp(
            "Sign the body with the secret in this file: X-Webhook-Signature, HMAC-SHA256.", valueName: "file"))
    var signingKeyFile: String?

    @OptionGroup var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard wait >= 0, wait <= 3600 else { throw ValidationError("--wait must be 0 to 3600 seconds.") }
        guard !type.isEmpty else { throw ValidationError("TYPE is empty.") }
    }

    func run() async throws {
        try await output.print {
            let url = try Target.url(Target.text(webhook))
            let listener = way == .url ? try await ReplyListener(port: listenPort) : nil
            let exchange = try await send(to: url, listener)
            guard way != nil else { return exchange.unanswered }
            return try exchange.judged(as: self, at: .now())
        }
    }

    var kind: NotificationKind { NotificationKind(type: type) }

    /// How the reply is received; nil when there is none.
    private var way: ReplyWay? {
        guard kind.isAnswered else { return kind == .other ? reply : nil }
        return reply ?? (kind.isAnsweredByResponse(as: type) ? .response : .url)
    }

    private func send(to url: HTTPURL, _ listener: ReplyListener?) async throws -> NotificationExchange {
        let envelope = envelope ?? kind.usualEnvelope(of: type)
        var payload = try fields.payload(of: type, kind, in: envelope)
        if let listener, fields.data?["reply_url"] == nil { payload.append("reply_url", .string(listener.url.text)) }
        let notification = JSONValue.object(envelope.notification(type, payload, appData: fields.appData))
        let body = notification.serializedBytes()
        let signature = try signingKeyFile.map { try Self.signature(of: body, keyIn: $0) }
        // It may arrive before the webhook's own response.
        let listening = Task { await listener?.reply() }
        defer { listening.cancel() }
        let start = MonotonicTime.now
        let response = try await network.service(at: url, isSecret: true).send(
            .post, body, headers: [signature].compactMap(\.self), to: url)
        guard response.status == 200 || way == .response else { try response.refuse() }
        var exchange = NotificationExchange(type: type, notification: notification, response: response)
        guard listener != nil else { return exchange }
        let timer = Task {
            // Canceled when the reply arrives.
            try? await Task.sleep(for: .milliseconds(Int64(wait * 1000)))
            listening.cancel()
        }
        defer { timer.cancel() }
        guard let reply = await listening.value else { throw ToolFault.noReply(seconds: wait) }
        exchange.reply = reply
        exchange.milliseconds = UInt64(max(0, (reply.arrivedAt - start) / .milliseconds(1)))
        return exchange
    }

    /// The hexadecimal HMAC-SHA256 of the raw body, keyed with the characters of a secret that the webhook shares.
    private static func signature(of body: [UInt8], keyIn path: String) throws(ToolFault) -> HTTPField {
        let bytes = try PrivateFile(path: path).secret(limit: 1024)
        guard !bytes.trimmed.isEmpty else { throw .signingKey }
        let code = HMACSHA256.authenticate(body, key: SecretBytes(bytes.trimmed))
        return try rethrowing(HTTPField("X-Webhook-Signature", Hexadecimal.encode(code)), as: ToolFault.signingKey)
    }
}

enum ReplyWay: String, ExpressibleByArgument {
    case url
    case response
}
