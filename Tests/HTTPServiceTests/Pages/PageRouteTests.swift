import LedgerRecords
@testable import Devices
import HTTPTypes
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel
import SQLiteLedger
import Testing

@Suite("The notification center in a browser", .timeLimit(.minutes(5)))
struct PageRouteTests {
    private let fixture: PageFixture

    init() async throws {
        fixture = try await PageFixture()
    }

    private func bearer(_ secret: DeviceSecret) -> HTTPFields { [.authorization: "Bearer \(secret.disclosed)"] }

    private func link() async throws -> String {
        let answer = try await fixture.ask("/v1/links", .post, headers: bearer(fixture.secret))
        let url = try HTTPURL(try #require(try answer.json()["url"]?.string))
        #expect(url.text.hasPrefix("https://example.com/notifications/open?link="))
        return try #require(url.queryItems.first?.value)
    }

    @Test("Without a session there is only a page that says where to get one")
    func closed() async throws {
        try await fixture.add("m1")
        for cookie in [nil, "__Host-notifications=", "__Host-notifications=x", "other=1"] {
            for path in ["/notifications", "/notifications/preferences"] {
                let answer = try await fixture.ask(path, cookie: cookie)
                #expect(answer.status == 401)
                #expect(answer.body.contains("<h1>Not signed in</h1>"))
                #expect(!answer.body.contains("21 sat"))
            }
        }
    }

    @Test("A link opens the page once, by a button: what looks at links beforehand does not use it up")
    func once() async throws {
        let link = try await link()
        for _ in 0..<2 {
            let page = try await fixture.ask("/notifications/open?link=\(link)")
            #expect(page.status == 200)
            #expect(page.headers[.setCookie] == nil)
            #expect(page.body.contains(#"<input type="hidden" name="link" value="\#(link)">"#))
        }
        let opened = try await fixture.ask("/notifications/open", .post, form: [("link", link)])
        #expect(opened.status == 303)
        #expect(opened.headers[.location] == "/notifications")
        let cookie = try PageFixture.cookie(opened)
        #expect(try await fixture.ask("/notifications", cookie: cookie).status == 200)
        let again = try await fixture.ask("/notifications/open", .post, form: [("link", link)])
        #expect(again.status == 401)
        #expect(again.headers[.setCookie] == nil)
    }

    @Test(
        "A link is valid for two minutes, and for one after a start of the service it is not known whether it was used")
    func linkTime() async throws {
        let late = try await link()
        fixture.service.clock.advance(seconds: 120)
        #expect(try await fixture.ask("/notifications/open", .post, form: [("link", late)]).status == 401)
        let early = try await link()
        fixture.service.clock.advance(seconds: 1)
        let restarted = PageFixture.router(fixture.pages, fixture.service)
        let answer = try await Answer(restarted, "/notifications/open", .post, [:], "link=\(early)")
        #expect(answer.status == 401)
        #expect(try await fixture.ask("/notifications/open", .post, form: [("link", early)]).status == 303)
    }

    @Test("Of several instances one takes a link")
    func instances() async throws {
        let shared = SharedCounts()
        let fixture = try await PageFixture(shared: shared)
        let answer = try await fixture.ask("/v1/links", .post, headers: bearer(fixture.secret))
        let url = try HTTPURL(try #require(try answer.json()["url"]?.string))
        let link = try #require(url.queryItems.first?.value)
        let other = PageFixture.router(fixture.pages, fixture.service)
        #expect(try await Answer(other, "/notifications/open", .post, [:], "link=\(link)").status == 303)
        #expect(try await fixture.ask("/notifications/open", .post, form: [("link", link)]).status == 401)
    }

    @Test("A link is no session, and a session no link")
    func purposes() async throws {
        let link = try await link()
        #expect(try await fixture.ask("/notifications", cookie: "__Host-notifications=\(link)").status == 401)
        let session = try await fixture.session().dropFirst("__Host-notifications=".count)
        let opened = try await fixture.ask("/notifications/open", .post, form: [("link", String(session))])
        #expect(opened.status == 401)
    }

    @Test("A web view that shows the secret of a device begins a session")
    func bearerSession() async throws {
        let answer = try await fixture.ask("/notifications", headers: bearer(fixture.secret))
        #expect(answer.status == 200)
        let field = try #require(answer.headers[.setCookie])
        #expect(field.hasPrefix("__Host-notifications="))
        #expect(field.hasSuffix("; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure"))
        let unknown = try DeviceSecret(random: SystemRandom.bytes)
        let refused = try await fixture.ask("/notifications", headers: bearer(unknown))
        #expect(refused.status == 401)
        #expect(refused.headers[.setCookie] == nil)
    }

    @Test("Without https, as in development, the cookie has no Secure")
    func plain() async throws {
        let fixture = try await PageFixture(at: "http://127.0.0.1:8080")
        let answer = try await fixture.ask("/notifications", headers: bearer(fixture.secret))
        let field = try #require(answer.headers[.setCookie])
        #expect(field.hasPrefix("notifications="))
        #expect(field.hasSuffix("; HttpOnly; SameSite=Strict"))
    }

    @Test("A session ends after twelve hours, with the device, and with the secret that the device had")
    func ends() async throws {
        let cookie = try await fixture.session()
        fixture.service.clock.advance(seconds: 12 * 3600 - 1)
        #expect(try await fixture.ask("/notifications", cookie: cookie).status == 200)
        fixture.service.clock.advance(seconds: 1)
        #expect(try await fixture.ask("/notifications", cookie: cookie).status == 401)
        let next = try await fixture.session()
        let secret = try DeviceSecret(random: SystemRandom.bytes)
        _ = try await PageFixture.register("phone", secret, owner: 0x33, on: fixture.service)
        #expect(try await fixture.ask("/notifications", cookie: next).status == 401)
        let answer = try await fixture.ask("/notifications", headers: bearer(secret))
        #expect(try await fixture.service.ledger.removeDevice(fixture.device.id))
        #expect(try await fixture.ask("/notifications", cookie: PageFixture.cookie(answer)).status == 401)
    }

    @Test("A session that was changed anywhere is none")
    func forged() async throws {
        let cookie = try await fixture.session()
        let name = "__Host-notifications="
        let bytes = try Base64URL.decode(cookie.dropFirst(name.count))
        #expect(bytes.count == 72)
        for index in bytes.indices {
            var forged = bytes
            forged[index] ^= 1
            let answer = try await fixture.ask("/notifications", cookie: name + Base64URL.encode(forged))
            #expect(answer.status == 401, "\(index)")
        }
        #expect(try await fixture.ask("/notifications", cookie: "\(cookie); \(cookie)").status == 401)
    }

    @Test("Nothing but the page's own style and script is allowed, and nobody may frame or keep it")
    func headers() async throws {
        let answer = try await fixture.ask("/notifications", cookie: fixture.session())
        let policy = try #require(answer.headers[.contentSecurityPolicy])
        for (element, directive) in [("style", "style-src"), ("script", "script-src")] {
            let content = answer.body.components(around: "<\(element)>")[1].components(around: "</\(element)>")[0]
            let digest = Base64.encode(SHA256.hash(content.utf8))
            #expect(policy.contains("\(directive) 'sha256-\(digest)';"))
        }
        for part in [
            "default-src 'none'", "connect-src 'self'", "form-action 'self'", "base-uri 'none'",
            "frame-ancestors 'none'",
        ] { #expect(policy.contains(part)) }
        #expect(!policy.contains("unsafe"))
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(answer.headers[try #require(HTTPField.Name("Referrer-Policy"))] == "no-referrer")
        #expect(answer.headers[try #require(HTTPField.Name("X-Content-Type-Options"))] == "nosniff")
    }

    @Test("Text of a message is text: no element, attribute or address is made of it")
    func escaped() async throws {
        let hostile = "x\"\u{301} autofocus onfocus=\"alert(1)\"><script>alert(2)</script>"
        let link = DeviceMessage.Link(type: .payment, target: #"javascript:alert(3)"><a/href="https://evil.example">"#)
        try await fixture.add("m1", hostile, body: hostile, link: link)
        let page = try await fixture.ask("/notifications", cookie: fixture.session()).body
        #expect(page.components(around: "<script").count == 2)
        #expect(!page.unicodeScalars.split(separator: "\"").contains { String($0).contains("<script>alert") })
        #expect(page.contains("x&quot;\u{301} autofocus onfocus=&quot;alert(1)&quot;&gt;&lt;script&gt;"))
        #expect(page.contains(#"data-link-type="payment" data-link-target="javascript:alert(3)&quot;&gt;&lt;a/href"#))
        for href in page.components(around: "href=\"").dropFirst() { #expect(href.hasPrefix("/notifications")) }
    }

    @Test("Looking at messages does not mark them; a form does, one by one or all that were there")
    func mark() async throws {
        for number in 1...3 { try await fixture.add("m\(number)") }
        let cookie = try await fixture.session()
        let code = try await fixture.formCode(cookie)
        #expect(try await fixture.ask("/notifications", cookie: cookie).body.contains(">3 unread<"))
        func mark(_ form: [(name: String, value: String)]) async throws -> Answer {
            try await fixture.ask("/notifications/mark", .post, cookie: cookie, form: [("form", code)] + form)
        }
        let one = try await mark([("id", "m2"), ("read", "1")])
        #expect(one.status == 303)
        #expect(one.headers[.location] == "/notifications")
        #expect(try await fixture.ask("/notifications", cookie: cookie).body.contains(">2 unread<"))
        #expect(try await mark([("id", "m2"), ("read", "0")]).status == 303)
        #expect(try await fixture.center.count(of: fixture.device.profile.owner).unread == 3)
        try await fixture.add("m4")
        #expect(try await mark([("up_to", "3")]).status == 303)
        #expect(try await fixture.center.count(of: fixture.device.profile.owner).unread == 1)
        for wrong in [[("up_to", "x")], [("id", "M")], []] { #expect(try await mark(wrong).status == 400) }
    }

    @Test("A message of the owner is deleted, and nobody else's")
    func delete() async throws {
        try await fixture.add("m1")
        let secret = try DeviceSecret(random: SystemRandom.bytes)
        _ = try await PageFixture.register("other", secret, owner: 0x44, on: fixture.service)
        let other = try PageFixture.cookie(await fixture.ask("/notifications", headers: bearer(secret)))
        let code = try await fixture.formCode(other)
        let foreign = try await fixture.ask(
            "/notifications/delete", .post, cookie: other, form: [("form", code), ("id", "m1")])
        #expect(foreign.status == 303)
        #expect(try await fixture.center.count(of: fixture.device.profile.owner).unread == 1)
        let cookie = try await fixture.session()
        let own = try await fixture.ask(
            "/notifications/delete", .post, cookie: cookie,
            form: [("form", fixture.formCode(cookie)), ("id", "m1")])
        #expect(own.status == 303)
        #expect(try await fixture.center.count(of: fixture.device.profile.owner).unread == 0)
    }

    @Test(
        "A form without the code of its session, with another session's, or of another site does nothing",
        arguments: [
            "/notifications/mark", "/notifications/delete", "/notifications/preferences", "/notifications/close",
        ])
    func foreign(path: String) async throws {
        try await fixture.add("m1")
        let cookie = try await fixture.session()
        let code = try await fixture.formCode(cookie)
        let other = try await fixture.formCode(fixture.session())
        let field = try #require(HTTPField.Name("Sec-Fetch-Site"))
        let items = [("id", "m1"), ("read", "1"), ("up_to", "9")]
        let attempts: [(form: [(name: String, value: String)], site: String?)] = [
            (items, nil), (items + [("form", "")], nil), (items + [("form", other)], nil),
            (items + [("form", code)], "cross-site"), (items + [("form", code)], "same-site"),
        ]
        for (form, site) in attempts {
            let headers: HTTPFields = site.map { [field: $0] } ?? [:]
            let answer = try await fixture.ask(path, .post, cookie: cookie, form: form, headers: headers)
            #expect(answer.status == 403)
            #expect(answer.headers[.setCookie] == nil)
        }
        let owner = fixture.device.profile.owner
        #expect(try await fixture.center.count(of: owner).unread == 1)
        #expect(try await fixture.center.preferences(of: owner) == MessagePreferences())
        let own: HTTPFields = [field: "same-origin"]
        let good = try await fixture.ask(path, .post, cookie: cookie, form: items + [("form", code)], headers: own)
        #expect(good.status == 303)
        #expect(try await fixture.ask(path, .post, form: items + [("form", code)]).status == 401)
    }

    @Test("A link that another site sends does not open a session: nobody sees somebody else's messages unawares")
    func foreignLink() async throws {
        let field = try #require(HTTPField.Name("Sec-Fetch-Site"))
        let answer = try await fixture.ask(
            "/notifications/open", .post, form: [("link", link())], headers: [field: "cross-site"])
        #expect(answer.status == 403)
    }

    @Test("Pages of 25 messages follow each other, all or the unread ones")
    func paging() async throws {
        for number in 1...51 { try await fixture.add("m\(number)", "Message \(number).") }
        let cookie = try await fixture.session()
        for filter in ["", "unread=1"] {
            var path: String? = "/notifications" + (filter.isEmpty ? "" : "?" + filter)
            var counts: [Int] = []
            while let next = path {
                let page = try await fixture.ask(next, cookie: cookie).body
                counts.append(page.components(around: "<article").count - 1)
                let link = page.components(around: ">Older messages<").first?.components(around: "href=\"").last
                path =
                    page.contains(">Older messages<")
                    ? link.map { String($0.prefix { $0 != "\"" }).replacing("&amp;", with: "&") } : nil
            }
            #expect(counts == [25, 25, 1])
        }
        #expect(try await fixture.ask("/notifications?after=x", cookie: cookie).status == 400)
        #expect(try await fixture.ask("/notifications?after=%ff", cookie: cookie).status == 400)
    }

    @Test("Preferences are shown, stored, and shown again; what is wrong is named and nothing is lost")
    func preferences() async throws {
        let cookie = try await fixture.session()
        let owner = fixture.device.profile.owner
        func save(_ form: [(name: String, value: String)]) async throws -> Answer {
            try await fixture.ask(
                "/notifications/preferences", .post, cookie: cookie,
                form: [("form", fixture.formCode(cookie))] + form)
        }
        let first = try await fixture.ask("/notifications/preferences", cookie: cookie).body
        #expect(first.contains(#"name="push" value="1" checked="""#))
        #expect(first.contains(#"<option value="alert" selected="">"#))
        let saved = try await save([("way.payment_received", "silent")])
        #expect(saved.status == 303)
        #expect(saved.headers[.location] == "/notifications/preferences?saved=1")
        let stored = try await fixture.center.preferences(of: owner)
        #expect(!stored.isPushed)
        #expect(stored.types == [.paymentReceived: .silent])
        let shown = try await fixture.ask("/notifications/preferences?saved=1", cookie: cookie).body
        #expect(shown.contains(#"<p role="status">Saved.</p>"#))
        #expect(shown.contains(#"<option value="silent" selected="">"#))
        let wrong = try await save([("way.payment_received", "loud")])
        #expect(wrong.status == 400)
        #expect(wrong.body.contains(#"role="alert""#))
        #expect(wrong.body.contains("types.payment_received"))
        #expect(try await fixture.center.preferences(of: owner) == stored)
        let many = try await save((0..<500).map { ("way.t\($0)", "off") })
        #expect(many.status == 400)
        #expect(many.body.utf8.count < 32_768)
        #expect(try await save([("way.security", "off")]).status == 400)
    }

    @Test("Signing out ends the session in this browser")
    func close() async throws {
        let cookie = try await fixture.session()
        let answer = try await fixture.ask(
            "/notifications/close", .post, cookie: cookie, form: [("form", fixture.formCode(cookie))])
        #expect(answer.status == 303)
        #expect(answer.headers[.setCookie]?.hasPrefix("__Host-notifications=; Path=/; Max-Age=0; HttpOnly") == true)
    }

    @Test("A form is at most 16 KiB")
    func large() async throws {
        let cookie = try await fixture.session()
        let answer = try await fixture.ask(
            "/notifications/mark", .post, cookie: cookie, form: [("id", String(repeating: "x", count: 16_384))])
        #expect(answer.status == 400)
    }
}

/// Counts that instances share, as a ledger keeps them.
private final class SharedCounts: SharedRates {
    private let taken = Guarded<Set<[UInt8]>>([])

    func take(_ key: [UInt8], every interval: Duration, burst: Int) async throws(LedgerFault) -> Duration? {
        taken.withLock { $0.insert(key).inserted } ? nil : interval
    }

    func putBack(_ key: [UInt8], every interval: Duration) async throws(LedgerFault) {}
}
