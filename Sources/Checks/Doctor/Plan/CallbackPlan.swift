import LightningCoding
import LightningCrypto
import OutboundHTTP

struct CallbackPlan {
    private let plan: ProbePlan
    private let evidence: Evidence

    init(_ plan: ProbePlan, _ evidence: Evidence) {
        self.plan = plan
        self.evidence = evidence
    }

    /// Everything but the second round.
    var steps: [PlannedStep] {
        steps(\.info, all: Probe.allCases.filter { $0.stage == .callback }) { order in
            if let reason = order.payer.reasonForFewRequests {
                let few: Set<Probe> = [.invoice, .payerDataMissing, .payerDataForged]
                let sent = [get(.invoice, order, order.amount)] + payerSteps(order)
                let omitted = Probe.allCases.filter { $0.stage == .callback && !few.contains($0) }
                return sent.filter { few.contains($0.probe) } + omitted.map { .omit($0, reason) }
            }
            return invoiceSteps(order) + amountSteps(order) + commentSteps(order) + payerSteps(order) + zapSteps(order)
        }
    }

    /// The second round.
    var repeatedSteps: [PlannedStep] {
        steps(\.infoAgain, all: [.invoiceAgain]) { [get(.invoiceAgain, $0, $0.amount)] }
    }

    private func steps(
        _ source: (Evidence) -> EvidenceSource, all probes: [Probe], made: (InvoiceOrderDraft) -> [PlannedStep]
    ) -> [PlannedStep] {
        do throws(ServiceCheck.Skipped) {
            return made(try InvoiceOrderDraft(evidence, answer: source(evidence), key: plan.seed.key))
        } catch {
            return probes.map { .omit($0, error.reason) }
        }
    }

    private func invoiceSteps(_ order: InvoiceOrderDraft) -> [PlannedStep] {
        let callback = order.callback
        let known = [("nonce", plan.seed.unknownName), ("__n", "1"), ("lnurl", "x")]
        return [
            get(.invoice, order, order.amount), plan.preflight(.invoicePreflight, callback), post(order),
            get(.unknownParameter, order, order.amount, more: known),
            plan.get(
                .parameterOrder,
                callback.appendingQuery(order.payer.items + [("nonce", "1"), ("amount", String(order.amount))])),
        ]
    }

    private func amountSteps(_ order: InvoiceOrderDraft) -> [PlannedStep] {
        AmountForm.all.map { form in
            guard let values = form.values(order) else { return .omit(form.probe, form.reasonWithout) }
            let items = values.map { (name: "amount", value: $0) }
            return plan.get(form.probe, order.callback.appendingQuery(items + order.payer.items))
        }
    }

    private func commentSteps(_ order: InvoiceOrderDraft) -> [PlannedStep] {
        // The emoji is one character of two UTF-16 units and four bytes.
        let forms: [(Probe, Character, Int)] = [
            (.commentLongest, "c", 0), (.commentLongestEmoji, "\u{1F600}", 0), (.commentTooLong, "c", 1),
            (.commentTooLongEmoji, "\u{1F600}", 1),
        ]
        return [get(.commentEmpty, order, order.amount, more: [("comment", "")])]
            + forms.map { probe, character, more in
                guard order.commentAllowed > 0 else { return .omit(probe, "no comment is allowed") }
                let comment = String(repeating: character, count: min(order.commentAllowed, 4000) + more)
                guard PercentEncoding.encode(comment).utf8.count <= 4000 else {
                    return .omit(probe, "such a comment does not fit into a URL")
                }
                return get(probe, order, order.amount, more: [("comment", comment)])
            }
    }

    private func payerSteps(_ order: InvoiceOrderDraft) -> [PlannedStep] {
        let payer = order.payer
        guard payer.isAsked else {
            return [.payerData, .payerDataMissing, .payerDataForged].map { .omit($0, "no payer data is asked for") }
        }
        let amount = [(name: "amount", value: String(order.amount))]
        let missing: PlannedStep =
            payer.isMandatory
            ? plan.get(.payerDataMissing, order.callback.appendingQuery(amount))
            : .omit(.payerDataMissing, "no payer data is mandatory")
        let forged: PlannedStep =
            payer.forged.map { plan.get(.payerDataForged, order.callback.appendingQuery(amount + [("payerdata", $0)])) }
            ?? .omit(.payerDataForged, "no signature is asked for")
        let full = payer.full.map { [(name: "payerdata", value: $0)] } ?? []
        return [plan.get(.payerData, order.callback.appendingQuery(amount + full)), missing, forged]
    }

    private func zapSteps(_ order: InvoiceOrderDraft) -> [PlannedStep] {
        guard let zap = ZapRequestDraft(evidence, amount: order.amount, seed: plan.seed) else {
            return [.zap, .zapForged, .zapOtherAmount].map { .omit($0, "zaps are not accepted") }
        }
        return [(.zap, zap.text), (.zapForged, zap.forged), (.zapOtherAmount, zap.otherAmount)].map { probe, text in
            // With a comment, which the hash does not cover.
            get(
                probe, order, order.amount,
                more: [("nostr", text)] + (order.commentAllowed > 0 ? [("comment", "x")] : []))
        }
    }

    private func get(
        _ probe: Probe, _ order: InvoiceOrderDraft, _ amount: UInt64, more: [(String, String)] = []
    ) -> PlannedStep {
        let items =
            [(name: "amount", value: String(amount))] + order.payer.items + more.map { (name: $0.0, value: $0.1) }
        return plan.get(probe, order.callback.appendingQuery(items))
    }

    private func post(_ order: InvoiceOrderDraft) -> PlannedStep {
        var body: JSONObject = ["amount": .unsigned(order.amount)]
        for item in order.payer.items { body.append(item.name, .string(item.value)) }
        let request = plan.service.request(
            .post, order.callback, headers: ProbePlan.headers + [.jsonContent],
            body: JSONValue.object(body).serializedBytes())
        return .send(.invoicePost, request)
    }
}
