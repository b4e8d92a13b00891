import FirnValues

/// An element as the key of a dictionary: texts are equal if their bytes are equal, as in a realm.
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

extension Array where Element: Hashable {
    /// Whether the elements are strings, which Swift compares by canonical equivalence and not by
    /// their bytes.
    private static var hasTexts: Bool {
        Element.self is String.Type || Element.self is String?.Type
    }

    /// Returns whether both have the same elements in the same order, as a realm compares them.
    func hasSameElements(as other: [Element]) -> Bool {
        guard Self.hasTexts else { return self == other }
        return elementsEqual(other) { ElementKey($0) == ElementKey($1) }
    }

    /// Returns the position of the first element that is the same in a realm, or `nil`.
    func position(of element: Element) -> Int? {
        guard Self.hasTexts else { return firstIndex(of: element) }
        let key = ElementKey(element)
        return firstIndex { ElementKey($0) == key }
    }
}
