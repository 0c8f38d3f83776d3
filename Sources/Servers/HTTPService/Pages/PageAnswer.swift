import Devices
import HTTPTypes
import Hummingbird
import HummingbirdCore
import LightningCoding
import NIOCore
import ResponderModel

enum PageAnswer {
    case page(HTMLPage, HTTPResponse.Status = .ok, cookie: String? = nil)
    /// Another page, after a form.
    case moved(String, cookie: String? = nil)

    func response() -> Response {
        switch self {
        case .page(let page, let status, let cookie):
            var response = Response(
                status: status, headers: Self.headers, body: ResponseBody(byteBuffer: ByteBuffer(string: page.text)))
            response.headers[.contentType] = "text/html; charset=utf-8"
            response.headers[.setCookie] = cookie
            return response
        case .moved(let path, let cookie):
            var response = Response(status: .seeOther, headers: Self.headers)
            response.headers[.location] = path
            response.headers[.setCookie] = cookie
            return response
        }
    }

    private static let headers: HTTPFields = {
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
        var response = PageAnswer.page(PageHTML.page(heading, [.element("p", [], text)]), status).response()
        if case .tooOften(let seconds) = self { response.headers[.retryAfter] = String(seconds) }
        guard case .center(.ledger(let fault)) = self else { return .init(response, .refused) }
        return .init(response, .failed, cause: fault.reason)
    }
}
