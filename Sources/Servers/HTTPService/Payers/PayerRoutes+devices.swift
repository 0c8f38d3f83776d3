import HTTPTypes
import Hummingbird
import LNURL
import LightningCoding
import LightningCrypto
import Registrations
import ResponderCore
import ResponderModel

/// Questions of payers to devices.
extension PayerRoutes {
    /// Asks for the limits and metadata.
    func payRequest(
        of device: DeviceResponder.Device, by answerer: DeviceResponder, for payer: Payer
    ) async throws(PayerFault) -> PayerAnswer {
        let answer = try await awaiting(await answerer.payRequest(of: device, for: payer), as: PayerFault.refusal)
        return PayerAnswer(answer.json, headers: infoHeaders)
    }

    /// Asks for an invoice, which counts for the account.
    func payInvoice(
        of device: DeviceResponder.Device, by answerer: DeviceResponder, version: UInt64?, query: CallbackQuery,
        for payer: Payer
    ) async throws(PayerFault) -> PayerAnswer {
        try await countedInvoice(of: device.account) { () async throws(Refusal) in
            try await answerer.payInvoice(of: device, version: version, query: query, for: payer)
        }
    }

    /// Asks whether an invoice has been paid, unless that is known.
    func verification(
        of paymentHash: PaymentHash, marked mark: UInt64?, at device: DeviceResponder.Device,
        by answerer: DeviceResponder, for payer: Payer
    ) async throws(PayerFault) -> PayerAnswer {
        PayerAnswer(
            try await awaiting(
                await answerer.verify(paymentHash, marked: mark, at: device, for: payer), as: PayerFault.refusal))
    }

    /// Who asks.
    func payer(of request: Request, _ context: ServiceContext) -> Payer {
        Payer(from: admission.network(of: request, context), over: context.payer)
    }
}
