import LightningCoding
import ResponderModel

/// The page with an owner's messages, newest first. Whoever looks at it has not read them: that is said message by message,
/// or of all that were there.
struct MessagesPage {
    let messages: [DeviceMessage]
    let count: MessageCount
    let query: MessageQuery
    let next: PageMark?
    let formCode: String

    static let title = "Messages"
    static let length = 25

    var html: String {
        PageHTML.page(Self.title, status + filter + list + older, formCode: formCode, isLive: true)
    }

    private var status: [Markup] {
        let read = PageHTML.form(
            "/notifications/mark", formCode,
            [PageHTML.hidden("up_to", "\(count.newest)"), PageHTML.button("Mark all as read")])
        return [
            .element("p", [("id", "unread"), ("role", "status")], "\(count.unread) unread"),
            .element("p", [("id", "news"), ("role", "status"), ("data-place", "\(count.newest)")], []),
        ] + (count.unread == 0 ? [] : [.element("div", [("class", "actions")], [read])])
    }

    private var filter: [Markup] {
        let (text, path) =
            query.isUnread
            ? ("Show all messages", PageHTML.messages) : ("Show unread messages only", PageHTML.messages + "?unread=1")
        return [.element("p", [("class", "more")], [.element("a", [("href", path)], text)])]
    }

    private var list: [Markup] {
        messages.isEmpty
            ? [.element("p", [], "There are no messages.")]
            : [.element("ol", messages.map { .element("li", [article($0)]) })]
    }

    private var older: [Markup] {
        guard let next else { return [] }
        let path = "\(PageHTML.messages)?after=\(next.position)" + (query.isUnread ? "&unread=1" : "")
        return [.element("p", [("class", "more")], [.element("a", [("href", path)], "Older messages")])]
    }

    private func article(_ message: DeviceMessage) -> Markup {
        let content = message.content
        let heading = "title-\(content.id)"
        let time = content.createdAt.iso8601
        let state: [Markup] =
            message.readAt == nil ? [.element("span", [("class", "unread")], "Unread"), .text(", ")] : []
        return .element(
            "article", [("aria-labelledby", heading)],
            [
                .element("h2", [("id", heading), ("dir", "auto")], content.title),
                .element("p", state + [.element("time", [("datetime", time)], time)]),
                .element("p", [("dir", "auto")], content.body),
            ] + (content.link.map { [place($0)] } ?? [])
                + [.element("div", [("class", "actions")], actions(message, heading))])
    }

    /// An app that shows this page knows how to open the place; a browser does not, and gets no URL.
    private func place(_ link: DeviceMessage.Link) -> Markup {
        .element(
            "p",
            [
                .text(link.type.words + " "),
                .element(
                    "code", [("data-link-type", link.type.text), ("data-link-target", link.target)], link.target),
            ])
    }

    private func actions(_ message: DeviceMessage, _ heading: String) -> [Markup] {
        let id = PageHTML.hidden("id", message.content.id.text)
        let isRead = message.readAt != nil
        return [
            PageHTML.form(
                "/notifications/mark", formCode,
                [
                    id, PageHTML.hidden("read", isRead ? "0" : "1"),
                    PageHTML.button(isRead ? "Mark as unread" : "Mark as read", about: heading),
                ]),
            PageHTML.form("/notifications/delete", formCode, [id, PageHTML.button("Delete", about: heading)]),
        ]
    }
}

extension MessageType {
    var words: String { text.split(separator: "_").joined(separator: " ") }
}
