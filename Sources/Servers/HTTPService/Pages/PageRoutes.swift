import CoreMetrics
import Devices
import HTTPTypes
import Hummingbird
import HummingbirdCore
import LightningCoding
import ResponderModel

/// The notification center in a browser, without need of JavaScript.
///
/// An app lets a browser in: it asks for a link, which works once and within two minutes, or shows the secret of its device
/// with the first request of a web view. The browser then has a session of twelve hours, in a cookie that no script and no
/// other site can use. The link leads to a button, since whatever looks at links beforehand must not use them up.
struct PageRoutes: Sendable {
    let pages: NotificationPages
    let admission: Admission
    let links: UsedLinks
    let clock: WallClock
    let metrics: any MetricsFactory

    /// Where the page is from that has sent a request (Fetch Metadata).
    private static let fetchSite = HTTPField.Name("Sec-Fetch-Site")
    /// The largest form, in bytes.
    private static let formLimit = 16_384

    func add(to router: Router<ServiceContext>) {
        addLink(to: router)
        addMessages(to: router)
        addPreferences(to: router)
    }

    var access: DeviceAccess { DeviceAccess(center: pages.center, admission: admission, metrics: metrics) }

    private func addLink(to router: Router<ServiceContext>) {
        access.add(.post, "/v1/links", to: router) { _, device, _ throws(MessageCenterRefusal) in
            let link = try token(.link, for: device)
            let url = pages.base.appendingPath(PageHTML.open).appendingQuery([("link", link.text)])
            return .device(["url": .string(url.text), "expires_at": .unsigned(link.expires.seconds)])
        }
        add(.get, PageHTML.open, to: router) { request throws(PageRefusal) in
            guard let link = Self.value("link", in: try items(of: request)).flatMap(PageToken.init) else { throw .link }
            let button = [PageHTML.hidden("link", link.text), PageHTML.button("Open my notifications")]
            return .page(
                PageHTML.page(
                    "Notifications",
                    [.element("form", [("method", "post"), ("action", PageHTML.open)], button)]))
        }
        add(.post, PageHTML.open, to: router) { request throws(PageRefusal) in
            guard let link = Self.value("link", in: try await form(of: request)).flatMap(PageToken.init) else {
                throw .link
            }
            let device = try await device(of: link, as: .link, otherwise: .link)
            let isNew = try await awaiting(await links.use(link)) { PageRefusal.center(.ledger($0)) }
            guard isNew else { throw .link }
            return .moved(PageHTML.messages, cookie: pages.cookie(try session(for: device)))
        }
        addForm("/notifications/close", to: router) { _, _, _ in .moved(PageHTML.messages, cookie: pages.cookie(nil)) }
    }

    private func addMessages(to router: Router<ServiceContext>) {
        let center = pages.center
        add(.get, PageHTML.messages, to: router) { request throws(PageRefusal) in
            let (session, device, cookie) = try await begun(by: request)
            let owner = device.profile.owner
            let items = try items(of: request).filter { !$0.name.isExactly("limit") }
            var query = try rethrowing(MessageQuery(of: owner, items: items)) { PageRefusal.center(.request($0)) }
            query.limit = MessagesPage.length
            // Counted first: what is added meanwhile is told by the stream.
            let count = try await awaiting(await center.count(of: owner), as: PageRefusal.init)
            let found = try await awaiting(await center.page(query), as: PageRefusal.init)
            let page = MessagesPage(
                messages: found.elements, count: count, query: query, next: found.next,
                formCode: pages.key.formCode(of: session))
            return .page(page.html, cookie: cookie)
        }
        addForm("/notifications/mark", to: router) { items, device, _ throws(PageRefusal) in
            let (selection, isRead): (MessageSelection, Bool)
            if let text = Self.value("up_to", in: items) {
                guard let place = UInt64(digits: text) else { throw Self.malformed("up_to") }
                (selection, isRead) = (.upTo(place), true)
            } else {
                guard let id = Self.value("id", in: items).flatMap(MessageID.init) else { throw Self.malformed("id") }
                (selection, isRead) = (.ids([id]), Self.value("read", in: items)?.isExactly("1") ?? false)
            }
            try await awaiting(
                await center.mark(selection, read: isRead, of: device.profile.owner), as: PageRefusal.init)
            return .moved(PageHTML.messages)
        }
        addForm("/notifications/delete", to: router) { items, device, _ throws(PageRefusal) in
            if let id = Self.value("id", in: items).flatMap(MessageID.init) {
                try await awaiting(await center.removeMessage(id, of: device.profile.owner), as: PageRefusal.init)
            }
            return .moved(PageHTML.messages)
        }
    }

    private func addPreferences(to router: Router<ServiceContext>) {
        let center = pages.center
        add(.get, PageHTML.preferences, to: router) { request throws(PageRefusal) in
            let (session, device, cookie) = try await begun(by: request)
            let stored = try await awaiting(await center.preferences(of: device.profile.owner), as: PageRefusal.init)
            let isSaved = Self.value("saved", in: try items(of: request)) != nil
            let page = PreferencesPage(
                form: PreferencesForm(stored), formCode: pages.key.formCode(of: session), notice: isSaved ? .saved : nil
            )
            return .page(page.html, cookie: cookie)
        }
        addForm(PageHTML.preferences, to: router) { items, device, session throws(PageRefusal) in
            let form = PreferencesForm(items)
            let preferences: MessagePreferences
            do throws(DeviceMemberFault) {
                preferences = try form.preferences()
            } catch {
                let page = PreferencesPage(
                    form: form, formCode: pages.key.formCode(of: session), notice: .wrong(error.reason))
                return .page(page.html, .badRequest)
            }
            try await awaiting(await center.keep(preferences, of: device.profile.owner), as: PageRefusal.init)
            return .moved(PageHTML.preferences + "?saved=1")
        }
    }
}

// MARK: - Who asks

extension PageRoutes {
    /// The session of a request, and its device; a request that shows the secret of a device begins one.
    private func begun(
        by request: Request
    ) async throws(PageRefusal) -> (session: PageToken, device: Device, cookie: String?) {
        if let field = request.headers[.authorization] {
            let device = try await awaiting(await pages.center.device(showing: field), as: PageRefusal.init)
            let session = try session(for: device)
            return (session, device, pages.cookie(session))
        }
        let (session, device) = try await continued(by: request)
        return (session, device, nil)
    }

    /// The session in the cookie of a request, and its device.
    func continued(by request: Request) async throws(PageRefusal) -> (session: PageToken, device: Device) {
        guard let session = pages.session(in: request.headers[values: .cookie]) else { throw .closed }
        return (session, try await device(of: session, as: .session, otherwise: .closed))
    }

    private func device(
        of token: PageToken, as purpose: PageToken.Purpose, otherwise refusal: PageRefusal
    ) async throws(PageRefusal) -> Device {
        let device = try await awaiting(await pages.center.device(token.device), as: PageRefusal.init)
        guard let device, pages.key.admits(token, as: purpose, of: device, at: clock()) else { throw refusal }
        return device
    }

    private func session(for device: Device) throws(PageRefusal) -> PageToken {
        try rethrowing(token(.session, for: device), as: PageRefusal.center)
    }

    private func token(_ purpose: PageToken.Purpose, for device: Device) throws(MessageCenterRefusal) -> PageToken {
        try rethrowing(
            pages.key.token(purpose, for: device, at: clock(), random: pages.random),
            as: MessageCenterRefusal.ledger(.storage("no random bytes")))
    }
}

// MARK: - Requests

extension PageRoutes {
    private func add(
        _ method: HTTPRequest.Method, _ path: String, to router: Router<ServiceContext>,
        _ work: @escaping @Sendable (Request) async throws(PageRefusal) -> Response
    ) {
        let instruments = RouteInstruments(template: path, metrics: metrics)
        router.on(RouterPath(path), method: method) { request, context in
            await instruments.observe(context.logger) {
                do throws(PageRefusal) {
                    if let seconds = admission.wait(for: .registrationRead, request, context) {
                        throw .tooOften(seconds)
                    }
                    return .init(try await work(request))
                } catch {
                    return error.observed
                }
            }
        }
    }

    private func addForm(
        _ path: String, to router: Router<ServiceContext>,
        _ work:
            @escaping @Sendable ([(name: String, value: String)], Device, PageToken) async throws(PageRefusal) ->
            Response
    ) {
        add(.post, path, to: router) { request throws(PageRefusal) in
            let (session, device) = try await continued(by: request)
            let items = try await form(of: request)
            guard let code = Self.value("form", in: items), pages.key.admits(form: code, of: session) else {
                throw .foreign
            }
            return try await work(items, device, session)
        }
    }

    /// The fields of a form that a page of ours has sent; browsers say when another site did.
    private func form(of request: Request) async throws(PageRefusal) -> [(name: String, value: String)] {
        if let site = Self.fetchSite.flatMap({ request.headers[$0] }), !site.isExactly("same-origin") { throw .foreign }
        let body = try await awaiting(await request.bytes(limit: Self.formLimit)) { (_: BodyFault) in
            PageRefusal.center(.body)
        }
        return try rethrowing(String(decoding: body, as: UTF8.self).formItems(), as: Self.malformed("the form"))
    }

    private func items(of request: Request) throws(PageRefusal) -> [(name: String, value: String)] {
        try rethrowing(request.uri.items(), as: Self.malformed("the query"))
    }

    private static func malformed(_ name: String) -> PageRefusal {
        .center(.request(DeviceMemberFault(member: name, .malformed)))
    }

    private static func value(_ name: String, in items: [(name: String, value: String)]) -> String? {
        items.first { $0.name.isExactly(name) }?.value
    }
}
