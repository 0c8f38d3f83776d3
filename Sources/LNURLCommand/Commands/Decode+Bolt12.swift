import Bolt12
import Conformance
import LightningCoding

extension Bolt12Argument {
    /// The contents of the text, and whether it breaks a rule.
    func outcome(at now: UnixTime) throws(ToolFault) -> Outcome {
        switch kind {
        case .offer: Self.outcome(of: try offer(), at: now)
        case .invoiceRequest: Self.outcome(of: try invoiceRequest(), at: now)
        case .invoice:
            try Self.outcome(of: invoice(), at: now) { invoice in [invoice.signatureCheck, invoice.pathsCheck] }
        }
    }

    /// The contents of an invoice, and whether it matches `request`. The rules about the invoice itself apply too.
    func outcome(answering request: InvoiceRequest, at now: UnixTime) throws(ToolFault) -> Outcome {
        let invoice: Invoice
        do throws(InvoiceFault) {
            invoice = try Invoice(text)
        } catch .record(.text(let fault)) {
            throw .bolt12Invoice(.record(.text(fault)))
        } catch {
            throw .servedBolt12Invoice(error)
        }
        let judgement = PayerChecks(invoice: invoice, request: request, now: now)
        var outcome = Self.outcome(of: invoice, at: now) { _ in judgement.all }
        outcome.json.append("brokenRule", .text(judgement.fault?.rule))
        return outcome
    }

    private static func outcome(of offer: Offer, at now: UnixTime) -> Outcome {
        var outcome = Outcome()
        outcome.json = ["kind": "bolt12-offer"]
        outcome.json.append(offer.json(at: now))
        outcome.page.add(title: "BOLT12 offer")
        offer.add(to: &outcome.page, at: now)
        return outcome
    }

    private static func outcome(of request: InvoiceRequest, at now: UnixTime) -> Outcome {
        let checks = RequestChecks(request: request, now: now).all
        var outcome = Outcome(status: checks.haveFailed ? .brokenRule : .ok)
        outcome.json = ["kind": "bolt12-invoice-request"]
        outcome.json.append(request.json(at: now))
        outcome.json.append("checks", checks.json)
        outcome.page.add(title: "BOLT12 invoice request")
        request.add(to: &outcome.page, at: now)
        outcome.page.add(checks)
        return outcome
    }

    private static func outcome(
        of invoice: Invoice, at now: UnixTime, checkedBy check: (Invoice) -> [Check]
    ) -> Outcome {
        let checks = check(invoice)
        var outcome = Outcome(status: checks.haveFailed ? .brokenRule : .ok)
        outcome.json = ["kind": "bolt12-invoice"]
        outcome.json.append(invoice.json(at: now))
        outcome.json.append("checks", checks.json)
        outcome.page.add(title: "BOLT12 invoice")
        invoice.add(to: &outcome.page, at: now)
        outcome.page.add(checks)
        return outcome
    }
}
