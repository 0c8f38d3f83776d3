import HookBackend
import LightningCoding
import ResponderModel
import OutboundHTTP
import Platform
import ResponderCore
import Testing
@testable import ServiceSetup

@Suite("The configuration of notifications", .timeLimit(.minutes(5)))
struct NotificationConfigurationTests {
    private func configuration(_ file: String) throws(ConfigurationFaults) -> ServiceConfiguration {
        try ServiceConfiguration(SettingSources(flags: [:], environment: [:], file: ("c.yaml", Array(file.utf8))))
    }

    private func faults(_ file: String) -> [String] {
        do {
            _ = try configuration(file)
            return []
        } catch {
            return error.faults.map(\.description)
        }
    }

    @Test("By default nobody may notify, replies go to any public host, and rates are bounded")
    func defaults() throws {
        let configuration = try configuration("")
        #expect(!configuration.webhookOpen)
        #expect(configuration.notifications.deadline == 20)
        #expect(configuration.notifications.key == nil)
        #expect(configuration.notifications.names == EnvelopeNames())
        #expect(configuration.replies.hosts == nil && configuration.replies.ports == [])
        #expect(!configuration.replies.allowLoopback && configuration.replies.proxy == .none)
        #expect(configuration.rates.network == 600)
        #expect(configuration.rates.openInvoices == 10_000)
        #expect(configuration.trustedProxies.isEmpty)
    }

    @Test("Everything can be configured")
    func everything() throws {
        let configuration = try configuration(
            """
            webhook:
              open: true
            notifications:
              deadline: 30
              key-file: k
              key-purpose: p
              names:
                template: kind
                message-ids: [a, b]
                types: {pay: lnurlpay_invoice}
                members: {reply_url: answer_to}
              texts:
                payment_received_notification_title: "%d Satoshi erhalten"
            replies:
              hosts: [example.com, .example.org]
              ports: [8443]
              proxy: socks5h://127.0.0.1:9050
              allow-loopback: true
            rates:
              network: 0
              account: 1
              open-invoices: 0
            trusted-proxies: [10.0.0.0/8, "2001:db8::1"]
            """)
        #expect(configuration.webhookOpen)
        #expect(configuration.notifications.deadline == 30)
        #expect(configuration.notifications.key == .init(path: "k", purpose: "p"))
        #expect(configuration.notifications.names.template == "kind")
        #expect(configuration.notifications.names.messageIDs == ["a", "b"])
        #expect(configuration.notifications.names.types["pay"] == .payInvoice)
        #expect(configuration.notifications.names.types["swap.update"] == .swapUpdated)
        #expect(configuration.notifications.names.payloadMembers == ["reply_url": "answer_to"])
        #expect(configuration.notifications.texts[.paymentReceivedTitle, 21] == "21 Satoshi erhalten")
        #expect(configuration.replies.hosts?.map(\.description) == ["example.com", "example.org"])
        #expect(configuration.replies.ports == [8443])
        #expect(configuration.replies.proxy == .tor)
        #expect(configuration.replies.allowLoopback)
        #expect(configuration.rates.network == 0 && configuration.maximumOpenInvoices == nil)
        #expect(configuration.rates.account == 1)
        #expect(configuration.trustedProxies.map(\.description) == ["10.0.0.0/8", "2001:db8::1/128"])
    }

    @Test("Custom types, and those that only show a text, are answered by a service or a program")
    func handlers() throws {
        let file = """
            notifications:
              handlers:
                shop_order: {url: "https://shop.example/hook", token-file: t, certificate-file: c}
                stock: {command: [./stock.py, -v]}
                mutualClose: {url: "http://127.0.0.1:9000/"}
            """
        #expect(
            try configuration(file).notifications.handlers == [
                NotificationType(rawValue: "shop_order"): .service(
                    HTTPURL("https://shop.example/hook"), tokenPath: "t", certificateAuthorities: "c"),
                NotificationType(rawValue: "stock"): .program(
                    ["./stock.py", "-v"], environment: ProcessEnvironment.forPrograms),
                .mutualClose: .service(HTTPURL("http://127.0.0.1:9000/")),
            ])
        #expect(try configuration("").notifications.handlers.isEmpty)
    }

    @Test(
        "No handler takes the place of an answer that money depends on",
        arguments: [
            NotificationType.payInfo, .payInvoice, .payVerify, .invoiceRequest, .swapUpdated, .paymentReceived,
            .addressTransactionsConfirmed, .transactionConfirmed, .undecipherable,
        ])
    func builtIn(type: NotificationType) {
        #expect(
            faults("notifications:\n  handlers:\n    \(type):\n      command: [a]\n") == [
                "c.yaml, line 4: notifications.handlers.\(type) is answered by the service only, since money depends on "
                    + "the answer"
            ])
    }

    @Test(
        "A mistake is reported with its key and line",
        arguments: [
            ("webhook: true\n", "c.yaml, line 1: webhook must be keys with values"),
            ("webhook:\n  opn: true\n", "c.yaml, line 2: webhook.opn is not a setting; did you mean webhook.open?"),
            (
                "notifications:\n  deadline: 1\n",
                "c.yaml, line 2: notifications.deadline must be between 2 and 120"
            ),
            (
                "notifications:\n  key-file: k\n",
                "c.yaml, line 2: notifications.key-file needs notifications.key-purpose beside it"
            ),
            (
                "notifications:\n  key-purpose: k\n",
                "c.yaml, line 2: notifications.key-purpose needs notifications.key-file beside it"
            ),
            (
                "notifications:\n  names:\n    templat: x\n",
                "c.yaml, line 3: notifications.names.templat is not a setting; did you mean template?"
            ),
            (
                "notifications:\n  names:\n    types: [x]\n",
                "c.yaml, line 3: notifications.names.types must be keys with values"
            ),
            (
                "notifications:\n  texts:\n    mutual_close_notification_title: T\n    mutual_close_notification_txt: T\n",
                "c.yaml, line 4: notifications.texts.mutual_close_notification_txt is not a setting; did you mean "
                    + "mutual_close_notification_text?"
            ),
            (
                "notifications:\n  texts:\n    payment_received_notification_title: Money!\n",
                "c.yaml, line 3: notifications.texts.payment_received_notification_title must contain %d, the place of "
                    + "a number"
            ),
            (
                "notifications:\n  handlers:\n    a:\n      toke-file: x\n      url: https://a.example/\n",
                "c.yaml, line 4: notifications.handlers.a.toke-file is not a setting; did you mean token-file?"
            ),
            (
                "notifications:\n  handlers:\n    a: {}\n",
                "c.yaml, line 3: notifications.handlers.a needs one of url and command"
            ),
            (
                "notifications:\n  handlers:\n    a: {url: 'http://a.example/', token-file: t}\n",
                "c.yaml, line 3: notifications.handlers.a needs a URL that keeps secrets: it \(NodeURL.rule)"
            ),
            (
                "notifications:\n  names:\n    types: {paid: my_own}\n  handlers:\n    paid: {command: [a]}\n",
                "c.yaml, line 5: notifications.handlers.paid is a sender's name for my_own; use that one here"
            ),
            (
                "notifications:\n  handlers:\n    a: {url: 'https://a.example/?q'}\n",
                "c.yaml, line 3: notifications.handlers.a.url must have no query"
            ),
            (
                "notifications:\n  names:\n    types: {lnurlpay_invoice: mine}\n  handlers:\n    mine: {command: [a]}\n",
                "c.yaml, line 5: notifications.handlers.mine is also a name of lnurlpay_invoice, which is answered by "
                    + "the service only"
            ),
            (
                "notifications:\n  names:\n    types: {swap.update: mine}\n  handlers:\n    mine: {command: [a]}\n",
                "c.yaml, line 5: notifications.handlers.mine is also a name of swap_updated, which is answered by "
                    + "the service only"
            ),
            ("replies:\n  hosts:\n    - a\n    - b/c\n", "c.yaml, line 4: replies.hosts must be list of host"),
            ("replies:\n  ports: [70000]\n", "c.yaml, line 2: replies.ports must be list of port"),
            (
                "replies:\n  proxy: socks5://a:1\n",
                "c.yaml, line 2: replies.proxy must be socks5h://host:port | http://host:port | none"
            ),
            ("rates:\n  network: -1\n", "c.yaml, line 2: rates.network must be whole number"),
            (
                "trusted-proxies:\n  - 10.0.0.1/8\n",
                "c.yaml, line 2: trusted-proxies must be list of address or address/bits"
            ),
        ])
    func mistakes(file: String, fault: String) {
        #expect(faults(file) == [fault])
    }
}
