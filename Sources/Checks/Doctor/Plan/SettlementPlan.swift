import LNURL
import Bolt11
import LightningCoding
import LightningCrypto

/// The requests about an invoice (LUD-21).
struct SettlementPlan {
    private let plan: ProbePlan
    private let evidence: Evidence

    init(_ plan: ProbePlan, _ evidence: Evidence) {
        self.plan = plan
        self.evidence = evidence
    }

    var steps: [PlannedStep] {
        steps([.verify, .verifyUpperCase, .verifyUnknown, .verifyOtherName, .verifyMalformed]) { url in
            [plan.get(.verify, url)] + neighbors(of: url)
        }
    }

    var repeatedSteps: [PlannedStep] {
        steps([.verifyAgain]) { [plan.get(.verifyAgain, $0)] }
    }

    private func steps(_ probes: [Probe], made: (HTTPURL) -> [PlannedStep]) -> [PlannedStep] {
        do throws(ServiceCheck.Skipped) {
            let url = try evidence.verifyURL()
            guard evidence.mayAsk(url) else { throw ServiceCheck.Skipped("the URL may not be asked") }
            return made(url)
        } catch {
            return probes.map { .omit($0, error.reason) }
        }
    }

    /// URLs that differ in one thing each, when the URL shows where the hash and the name are.
    private func neighbors(of url: HTTPURL) -> [PlannedStep] {
        guard let hash = try? evidence.invoice(.invoice).paymentHash.hexadecimal, url.text.contains(hash) else {
            return [.verifyUpperCase, .verifyUnknown, .verifyOtherName, .verifyMalformed].map {
                .omit($0, "the URL does not show the payment hash")
            }
        }
        let name = plan.service.address?.name ?? ""
        let changed = [
            replacing(hash, hash.uppercased(), in: url, .verifyUpperCase),
            replacing(hash, plan.seed.unknownHash, in: url, .verifyUnknown),
            replacing(hash, String(hash.dropLast()), in: url, .verifyMalformed),
        ]
        guard !name.isEmpty, url.path.contains("/\(name)/") else {
            return changed + [.omit(.verifyOtherName, "the URL does not show the name")]
        }
        return changed + [replacing("/\(name)/", "/\(plan.seed.unknownName)/", in: url, .verifyOtherName)]
    }

    private func replacing(_ old: String, _ new: String, in url: HTTPURL, _ probe: Probe) -> PlannedStep {
        plan.get(probe, try? HTTPURL(url.text.replacing(old, with: new)))
    }
}
