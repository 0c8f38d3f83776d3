import LightningCoding
package import OutboundHTTP

/// A rule of HTTP answers, whatever they say: one check of the doctor each, and the rules of `Vectors/http`.
package enum HTTPRule: String, CaseIterable, Hashable, Sendable {
    case redirect = "no-redirect"
    case preflight = "preflight"
    case status = "status-200"
    case contentType = "content-type"
    case errorForm = "error-form"
    case crossOrigin = "cross-origin"
    case crossOriginOnce = "cross-origin-once"
    case allowedMethods = "allowed-methods"
    case caching = "not-cached"

    package enum Step: String, CaseIterable, Hashable, Sendable {
        /// The first step (LUD-06), answered.
        case info
        /// The second step, answered with an invoice.
        case invoice
        /// The question whether an invoice is paid (LUD-21), answered.
        case verify
        /// Any of these, refused.
        case refusal
        case preflight
    }

    func applies(to step: Step) -> Bool {
        switch self {
        case .preflight: step == .preflight
        case .errorForm: step == .refusal
        case .status, .contentType, .crossOrigin, .caching: step != .preflight
        case .redirect, .crossOriginOnce, .allowedMethods: true
        }
    }

    /// What is wrong with an answer, as a phrase; nil when the rule is followed or says nothing about it.
    package func fault(in answer: HTTPResponse, to step: Step) -> String? {
        guard applies(to: step) else { return nil }
        switch self {
        case .redirect:
            guard answer.isRedirect else { return nil }
            return "status \(answer.status) to \(answer.headers.first(named: "Location") ?? "nowhere")"
        case .preflight: return Self.preflightFault(answer)
        case .status: return answer.status == 200 ? nil : "status \(answer.status)"
        case .contentType: return Self.contentTypeFault(answer)
        case .errorForm: return Self.errorFault(answer)
        case .crossOrigin: return Self.originFault(answer)
        case .crossOriginOnce:
            let count = answer.values(of: "Access-Control-Allow-Origin").count
            return count > 1 ? "\(count) times" : nil
        case .allowedMethods: return Self.methodsFault(answer)
        case .caching: return Self.cachingFault(answer, step)
        }
    }

    /// The broken rules, in order. An answer that redirects breaks only that one.
    package static func broken(by answer: HTTPResponse, to step: Step) -> [HTTPRule] {
        let broken = allCases.filter { $0.fault(in: answer, to: step) != nil }
        return broken.first == .redirect ? [.redirect] : broken
    }

    private static func originFault(_ answer: HTTPResponse) -> String? {
        let origins = answer.values(of: "Access-Control-Allow-Origin")
        return origins.contains("*") ? nil : origins.first.map { "only for \($0)" } ?? "missing"
    }

    private static func preflightFault(_ answer: HTTPResponse) -> String? {
        guard (200...299).contains(answer.status) else { return "status \(answer.status)" }
        return originFault(answer).map { "Access-Control-Allow-Origin: \($0)" }
    }

    private static func contentTypeFault(_ answer: HTTPResponse) -> String? {
        let type = answer.headers.first(named: "Content-Type") ?? "none"
        let essence = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        return essence == "application/json" ? nil : type
    }

    private static func errorFault(_ answer: HTTPResponse) -> String? {
        guard let json = answer.json else { return "the body is not JSON" }
        guard json["status"]?.string?.isExactly("ERROR") == true else { return "\"status\" is not \"ERROR\"" }
        guard let reason = json["reason"]?.string else { return "\"reason\" is missing" }
        return reason.isEmpty ? "\"reason\" is empty" : nil
    }

    private static func methodsFault(_ answer: HTTPResponse) -> String? {
        guard let methods = answer.headers.first(named: "Access-Control-Allow-Methods") else { return nil }
        let names = methods.split { $0 == "," || $0 == " " }
        return names.contains("GET") || names.contains("*") ? nil : methods
    }

    /// What follows an answer that changes: the first may be stored for minutes, an invoice and its state must not be.
    private static func cachingFault(_ answer: HTTPResponse, _ step: Step) -> String? {
        // A payment that is settled stays so.
        if step == .verify, answer.json?["settled"] == true { return nil }
        let control = answer.values(of: "Cache-Control").joined(separator: ", ").lowercased()
        let words = control.split { $0 == "," || $0 == " " }.map(String.init)
        if let age = answer.headers.first(named: "Age"), step != .info, age != "0" {
            return "a stored answer, Age: \(age)"
        }
        let seconds = words.compactMap { word in
            ["max-age=", "s-maxage="].first { word.hasPrefix($0) }.flatMap { UInt64(word.dropFirst($0.count)) }
        }.max()
        guard step == .info else {
            return words.contains("no-store") ? nil : control.isEmpty ? "no Cache-Control: no-store" : control
        }
        return (seconds ?? 0) > 300 ? control : nil
    }
}
