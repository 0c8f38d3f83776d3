/// One page of a list, newest first.
package struct Page<Element: Sendable>: Sendable {
    package let elements: [Element]
    /// Where the next page begins; nil on the last one.
    package let next: PageMark?

    package init(_ elements: [Element], next: PageMark?) {
        self.elements = elements
        self.next = next
    }

    /// A page of `limit` elements; one more element found means that there is a next page.
    ///
    /// - Parameter found: elements with the ledger's own counter, newest first.
    package init(of limit: Int, from found: [(position: Int64, element: Element)]) {
        let shown = found.prefix(limit)
        elements = shown.map(\.element)
        next = found.count > limit ? shown.last.map { PageMark(position: $0.position) } : nil
    }
}

/// A position in a list that stays valid while elements are added.
package struct PageMark: Hashable, Sendable {
    package let position: Int64

    package init(position: Int64) {
        self.position = position
    }
}
