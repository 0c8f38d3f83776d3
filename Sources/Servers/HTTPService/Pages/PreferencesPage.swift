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

    private var push: Markup {
        let isChecked = form.isPushed ? [("checked", "")] : []
        let box = Markup.element(
            "input", [("type", "checkbox"), ("id", "push"), ("name", "push"), ("value", "1")] + isChecked, [])
        return .element("p", [box, .text(" "), .element("label", [("for", "push")], "Send messages to my devices")])
    }

    private var kinds: Markup {
        .element(
            "fieldset",
            [.element("legend", [], "How I am notified")] + form.ways.map(field)
                + [.element("p", [], "Security messages are always shown as alerts.")])
    }

    private func field(_ type: MessageType, _ chosen: String) -> Markup {
        let id = "\(PreferencesForm.wayPrefix)\(type)"
        let options = MessagePreferences.Way.allCases.map { way in
            let selected = chosen.isExactly(way.rawValue) ? [("selected", "")] : []
            return Markup.element("option", [("value", way.rawValue)] + selected, way.words)
        }
        return .element(
            "p",
            [
                .element("label", [("for", id)], type.words), .text(" "),
                .element("select", [("id", id), ("name", id)], options),
            ])
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
