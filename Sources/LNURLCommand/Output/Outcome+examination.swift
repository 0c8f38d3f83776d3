import Doctor
import LightningCoding

extension Outcome {
    /// The report of an examination.
    init(of report: DoctorReport, isVerbose: Bool) {
        self.init(status: ExitStatus(of: report))
        json = report.json
        page.add(title: report.evidence.service.name)
        for line in report.lines(isVerbose: isVerbose) {
            switch line {
            case .heading(let title):
                page.add("")
                page.add(title: title)
            case .finding(let verdict, let name, let detail):
                page.add(Check(name: name, verdict: verdict.checkVerdict, detail: detail))
            case .more(let label, let text): page.add(detail: label, text)
            }
        }
        page.add("")
        page.add(report.summary + (isVerbose ? "" : "; --verbose shows all"))
    }
}

extension ExitStatus {
    /// By the worst verdict.
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

extension Verdict {
    fileprivate var checkVerdict: Check.Verdict {
        switch self {
        case .skipped: .skipped
        case .passed: .passed
        case .warning: .warning
        case .failed: .failed
        }
    }
}
