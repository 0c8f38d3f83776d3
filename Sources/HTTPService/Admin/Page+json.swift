public import LightningCoding
public import Contracts

extension Page {
    /// The page as JSON: its elements under a name, and in `next` the cursor of the next page.
    public func json(as name: String, _ element: (Element) -> JSONValue) -> JSONValue {
        [name: .array(elements.map(element)), "next": .text(next.map { String($0.position) })]
    }
}
