import Hummingbird
import LightningCoding
import ResponderModel

/// The filters of a list, as an operator gives them in the query; of several with one name the last counts.
struct ListFilters: Sendable {
    private let values: [ExactText: String]

    init(_ values: [ExactText: String]) {
        self.values = values
    }

    subscript(name: String) -> String? { values[ExactText(name)] }

    /// The size of a page.
    var limit: Int {
        get throws(AdminFault) {
            guard let text = self["limit"] else { return 50 }
            guard let limit = Int(text), (1...1000).contains(limit) else {
                throw .badRequest("limit must be between 1 and 1000")
            }
            return limit
        }
    }

    /// Where the page begins: the `next` of the previous one.
    var mark: PageMark? {
        get throws(AdminFault) {
            guard let text = self["after"] else { return nil }
            guard let position = Int64(text), position >= 0 else {
                throw .badRequest("after must be the `next` of the previous page")
            }
            return PageMark(position: position)
        }
    }
}

extension Request {
    /// The filters of a list that has pages.
    ///
    /// - Parameter names: those besides `limit` and `after`.
    func filters(_ names: String...) throws(AdminFault) -> ListFilters {
        try filters(named: names + ["limit", "after"])
    }

    /// - Throws: when the query has other names.
    func filters(named names: [String]) throws(AdminFault) -> ListFilters {
        var values: [ExactText: String] = [:]
        let known = Set(names.map { ExactText($0) })
        for (name, value) in try rethrowing(uri.items(), as: AdminFault.badRequest("the query is malformed")) {
            guard known.contains(ExactText(name)) else { throw .badRequest("unknown filter \(name)") }
            values[ExactText(name)] = value
        }
        return ListFilters(values)
    }
}
