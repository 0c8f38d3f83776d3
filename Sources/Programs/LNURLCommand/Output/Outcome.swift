import Bolt12
import Doctor
import LightningCoding
import LightningCrypto

struct Outcome {
    var status = ExitStatus.ok
    var page = Page()
    /// For programs, after `ok`.
    var json = JSONObject()
    /// A file for standard output, instead of the page.
    var file: [UInt8]?
}

extension Outcome {
    /// The answer to an invoice request, and whether it may be paid.
    ///
    /// - Parameters:
    ///   - further: checks besides those of the payer.
    ///   - way: how the answer was received.
    init(of judgment: PayerChecks, _ further: [Check] = [], way: JSONObject) {
        let (invoice, request) = (judgment.invoice, judgment.request)
        let checks = judgment.all + further
        self.init(status: checks.haveFailed ? .brokenRule : .ok)
        json = [
            "invoice": .string(invoice.text), "invoiceRequest": .string(request.text),
            "amount": .unsigned(invoice.amount.msat), "paymentHash": .string(invoice.paymentHash.hexadecimal),
            "nodeID": .string(invoice.nodeID.hexadecimal), "expiresAt": .unsigned(invoice.expiresAt.seconds),
        ]
        json.append(way)
        json.append(["brokenRule": .text(judgment.fault?.rule), "checks": checks.json])
        page.add(title: "BOLT12 invoice for \(invoice.amount.formatted)")
        page.add("payment hash", invoice.paymentHash.hexadecimal)
        page.add("request", request.text)
        page.add(checks)
        page.add(invoice: invoice.text, checks)
    }

    init(of report: DoctorReport, isVerbose: Bool) {
        self.init(status: ExitStatus(of: report))
        json = report.json
        page.add(title: report.evidence.service.name)
        for group in report.groups(isVerbose: isVerbose) {
            page.add("")
            page.add(title: group.title)
            for finding in group.findings {
                page.add(Check(finding))
                guard isVerbose || finding.verdict >= .warning else { continue }
                for (label, text) in report.details(of: finding) { page.add(detail: label, text) }
            }
        }
        page.add("")
        page.add(report.summary + (isVerbose ? "" : "; --verbose shows all"))
    }
}

extension ExitStatus {
    fileprivate init(of report: DoctorReport) {
        let isCut = report.evidence.exchanges.contains { $0.key != .dnsName && $0.value.silence != nil }
        guard report.isAnswered, report.worst != .skipped || !isCut else {
            self = .noAnswer
            return
        }
        self =
            switch report.worst {
            case .skipped: .unchecked
            case .passed: .ok
            case .warning: .warned
            case .failed: .brokenRule
            }
    }
}
