import LightningCoding
import Contracts

extension BackendEvent {
    var parameters: JSONObject {
        switch self {
        case .swapUpdated(let id, let status):
            ["event": "swap.updated", "id": .string(id), "status": .string(status.description)]
        case .addressTransactionsConfirmed(let address):
            ["event": "address.confirmed", "address": .string(address)]
        case .transactionConfirmed(let id): ["event": "transaction.confirmed", "id": .string(id)]
        }
    }
}
