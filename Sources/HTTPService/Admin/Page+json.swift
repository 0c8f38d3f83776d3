public import LightningCoding
public import Contracts

extension Page {
    /// What lists it for a program: its elements under a name, and in `next` what asks for the next page.
    public func json(as name: String, _ element: (Element) -> JSONValue) -> JSONValue {
        [name: .array(elements.map(element)), "next": .text(next.map { String($0.position) })]
    }
}
