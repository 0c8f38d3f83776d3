/// One page of a list, newest first.
public struct Page<Element: Sendable>: Sendable {
    /// The elements.
    public let elements: [Element]
    /// Where the next page begins; nil on the last one.
    public let next: PageMark?

    /// A place in the list.
    public typealias Mark = PageMark

    /// Creates a page.
    public init(_ elements: [Element], next: PageMark?) {
        self.elements = elements
        self.next = next
    }

    /// A page of `limit` elements; one more element found means that there is a next page.
    ///
    /// - Parameter found: elements with the ledger's own counter, newest first.
    public init(of limit: Int, from found: [(position: Int64, element: Element)]) {
        let shown = found.prefix(limit)
        elements = shown.map(\.element)
        next = found.count > limit ? shown.last.map { PageMark(position: $0.position) } : nil
    }
}

/// A position in a list that stays valid while elements are added.
public struct PageMark: Hashable, Sendable {
    /// The ledger's own counter.
    public let position: Int64

    /// Creates a mark.
    public init(position: Int64) {
        self.position = position
    }
}

/// A page of invoices.
public typealias InvoicePage = Page<IssuedInvoice>

extension InvoicePage {
    /// The invoices.
    public var invoices: [IssuedInvoice] { elements }
}

/// A page of handled notifications.
public typealias EventPage = Page<EventRecord>

extension EventPage {
    /// The notifications.
    public var events: [EventRecord] { elements }
}
