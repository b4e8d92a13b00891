import FirnValues

/// An element as the key of a dictionary: texts are the same if their bytes are, as in a realm.
struct ElementKey<Element: Hashable>: Hashable {
    private let element: Element
    private let text: TextKey?

    init(_ element: Element) {
        self.element = element
        text = (element as? String).map(TextKey.init)
    }

    static func == (left: ElementKey, right: ElementKey) -> Bool {
        if let text = left.text, let other = right.text { return text == other }
        return left.element == right.element
    }

    func hash(into hasher: inout Hasher) {
        if let text { hasher.combine(text) } else { hasher.combine(element) }
    }
}
