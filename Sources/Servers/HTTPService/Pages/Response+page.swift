import Devices
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import ResponderModel

extension Response {
    static func page(_ html: String, _ status: HTTPResponse.Status = .ok, cookie: String? = nil) -> Response {
        var response = Response(
            status: status, headers: pageHeaders, body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
        response.headers[.contentType] = "text/html; charset=utf-8"
        response.headers[.setCookie] = cookie
        return response
    }

    /// Another page, after a form.
    static func moved(_ path: String, cookie: String? = nil) -> Response {
        var response = Response(status: .seeOther, headers: pageHeaders)
        response.headers[.location] = path
        response.headers[.setCookie] = cookie
        return response
    }

    private static let pageHeaders: HTTPFields = {
        var headers: HTTPFields = [.cacheControl: "no-store", .contentSecurityPolicy: PageHTML.policy]
        for (name, value) in [
            ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Opener-Policy", "same-origin"), ("X-Robots-Tag", "noindex"),
        ] {
            if let field = HTTPField.Name(name) { headers[field] = value }
        }
        return headers
    }()
}

/// Why a browser does not get what it asks for.
enum PageRefusal: Error {
    /// It shows no session, or one that has ended.
    case closed
    /// The link was used, or is too old.
    case link
    /// The form does not come from a page of this session.
    case foreign
    /// It asks too often: in so many seconds.
    case tooOften(UInt64)
    case center(MessageCenterRefusal)

    init(_ refusal: MessageCenterRefusal) {
        self = refusal == .unauthorized ? .closed : .center(refusal)
    }

    /// The status, a heading, and a sentence for the person.
    private var words: (status: HTTPResponse.Status, heading: String, text: String) {
        switch self {
        case .closed: (.unauthorized, "Not signed in", "Open your notifications from the app on your phone.")
        case .link:
            (
                .unauthorized, "This link cannot be used",
                "It opens the page once, within two minutes. Get a new one in the app."
            )
        case .foreign:
            (
                .forbidden, "Not done",
                "This form has expired. Go back, reload the page and try again."
            )
        case .tooOften(let seconds): (.tooManyRequests, "Too many requests", "Try again in \(seconds) seconds.")
        case .center(.ledger):
            (.serviceUnavailable, "Not available", "Your notifications cannot be shown now. Try again later.")
        case .center(let refusal): (.badRequest, "Not done", "Invalid input: \(refusal.reason).")
        }
    }

    var observed: RouteInstruments.Observed {
        let (status, heading, text) = words
        var response = Response.page(PageHTML.page(heading, [.element("p", [], text)]), status)
        if case .tooOften(let seconds) = self { response.headers[.retryAfter] = String(seconds) }
        guard case .center(.ledger(let fault)) = self else { return .init(response, .refused) }
        return .init(response, .failed, cause: fault.reason)
    }
}
