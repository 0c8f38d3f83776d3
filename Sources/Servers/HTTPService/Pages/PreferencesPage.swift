import Devices
import LightningCoding
import ResponderModel

struct PreferencesPage {
    let form: PreferencesForm
    let formCode: String
    var notice: Notice?

    enum Notice {
        case saved
        case wrong(String)
    }

    static let title = "Preferences"

    var html: String {
        let content = [push, kinds, .element("p", [PageHTML.button("Save")])]
        return PageHTML.page(
            Self.title, said + [PageHTML.form(PageHTML.preferences, formCode, content)], formCode: formCode)
    }

    private var said: [Markup] {
        switch notice {
        case nil: []
        case .saved: [.element("p", [("role", "status")], "Saved.")]
        case .wrong(let reason): [.element("p", [("role", "alert"), ("class", "alert")], "Not saved: \(reason).")]
        }
    }

    private var push: Markup { checkbox("push", form.isPushed, "Send messages to my devices") }

    private var kinds: Markup {
        .element(
            "fieldset",
            [.element("legend", [], "How I am notified")]
                + form.ways.map { type, chosen in
                    field("\(PreferencesForm.wayPrefix)\(type)", type.words) { id in
                        .element(
                            "select", [("id", id), ("name", id)],
                            Way.allCases.map { way in
                                let selected = chosen.isExactly(way.rawValue) ? [("selected", "")] : []
                                return .element("option", [("value", way.rawValue)] + selected, way.words)
                            })
                    }
                } + [.element("p", [], "Security messages are always shown as alerts.")])
    }

    private typealias Way = MessagePreferences.Way

    private func checkbox(_ name: String, _ isChecked: Bool, _ label: String) -> Markup {
        .element(
            "p",
            [
                .element(
                    "input",
                    [("type", "checkbox"), ("id", name), ("name", name), ("value", "1")]
                        + (isChecked ? [("checked", "")] : []), []),
                .text(" "), .element("label", [("for", name)], label),
            ])
    }

    private func field(_ id: String, _ label: String, _ control: (String) -> Markup) -> Markup {
        .element("p", [.element("label", [("for", id)], label), .text(" "), control(id)])
    }
}

extension MessagePreferences.Way {
    fileprivate var words: String {
        switch self {
        case .alert: "with an alert"
        case .silent: "silently"
        case .off: "not at all"
        }
    }
}
