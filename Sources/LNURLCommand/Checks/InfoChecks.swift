import LNURL
import LightningCoding
import OutboundHTTP

/// What there is to say about a first answer (LUD-06) beyond that it could be read, which the limits, the URLs and the
/// metadata have passed then.
struct InfoChecks {
    let request: PayRequest
    let metadata: PayMetadata
    let target: LNURLTarget
    let response: HTTPResponse

    var all: [Check] {
        var checks = [limits, callback]
        if case .address(let address) = target { checks.append(identifier(address)) }
        return checks + [crossOrigin, http]
    }

    private var limits: Check {
        .passed("limits", "\(request.minSendable.formatted) to \(request.maxSendable.formatted)")
    }

    private var callback: Check {
        let asked = target.url?.host ?? ""
        guard request.callback.host == asked else {
            return .warning("callback", "leads to another host, \(request.callback.host): some wallets refuse that")
        }
        guard request.callback.query == nil else {
            return .warning("callback", "has a query of its own, which some wallets lose")
        }
        return .passed("callback", "on the same host, path only")
    }

    private func identifier(_ address: LightningAddress) -> Check {
        switch metadata.identifier ?? metadata.email {
        case nil: .warning("identifier", "neither text/identifier nor text/email is in the metadata (LUD-16)")
        case address.identifier?: .passed("identifier", "is the address that was asked")
        case address.text?: .passed("identifier", "is the address that was asked, with its tag")
        case let other?: .warning("identifier", "is another address, \(other)")
        }
    }

    private var crossOrigin: Check {
        switch response.headers.first(named: "Access-Control-Allow-Origin") {
        case "*": .passed("CORS", "web wallets may ask too")
        default: .warning("CORS", "no Access-Control-Allow-Origin: *, so web wallets cannot ask (LUD-01)")
        }
    }

    private var http: Check {
        let type = response.headers.first(named: "Content-Type") ?? "none"
        guard response.status == 200 else {
            return .warning("HTTP", "status \(response.status) with a good body: some wallets stop at the status")
        }
        guard type.lowercased().hasPrefix("application/json") else {
            return .warning("HTTP", "the content type is \(type), not application/json")
        }
        return .passed("HTTP", "status 200, application/json")
    }
}
