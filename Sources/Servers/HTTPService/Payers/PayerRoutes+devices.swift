import LNURL
import LightningCoding
import LightningCrypto
import Registrations
import ResponderCore
import ResponderModel

/// Questions of payers to devices.
extension PayerRoutes {
    /// Asks for the limits and metadata.
    func ask(_ device: DeviceAnswerer.Device, by answerer: DeviceAnswerer) throws(PayerFault) -> PayerStep {
        let asked = try rethrowing(answerer.askPayRequest(of: device), as: PayerFault.refusal)
        return .asked(
            asked.map { [infoHeaders] result throws(PayerFault) in
                PayerAnswer(try rethrowing(result.get(), as: PayerFault.refusal).json, headers: infoHeaders)
            })
    }

    /// Asks for an invoice, which counts for the account.
    func askInvoice(
        of device: DeviceAnswerer.Device, by answerer: DeviceAnswerer, version: UInt64?, query: CallbackQuery
    ) async throws(PayerFault) -> PayerStep {
        let account = device.account
        try await admitInvoice(of: account)
        do throws(Refusal) {
            let asked = try answerer.askInvoice(of: device, version: version, query: query)
            return .asked(
                asked.map { [admission] result throws(PayerFault) in
                    switch result {
                    case .success(let invoice): return Self.invoice(invoice)
                    case .failure(let refusal): throw await Self.forgiving(refusal, of: account, admission)
                    }
                })
        } catch {
            throw await Self.forgiving(error, of: account, admission)
        }
    }

    /// Asks whether an invoice has been paid, unless that is known.
    func verify(
        _ paymentHash: PaymentHash, marked mark: UInt64?, at device: DeviceAnswerer.Device,
        by answerer: DeviceAnswerer
    ) async throws(PayerFault) -> PayerStep {
        let verification = try await awaiting(
            await answerer.verify(paymentHash, marked: mark, at: device), as: PayerFault.refusal)
        switch verification {
        case .known(let response): return .answer(PayerAnswer(response))
        case .asked(let asked):
            return .asked(
                asked.map { result throws(PayerFault) in
                    PayerAnswer(try rethrowing(result.get(), as: PayerFault.refusal))
                })
        }
    }
}
