/// Something that can stand at the cursor.
package struct Candidate: Hashable, Sendable {
    /// What stands in place of the typed word, as it is spelled in the language.
    package let text: String
    /// What a list shows, if it is not the text.
    package var shown: String?
    /// What a list says behind it, such as the type of a property.
    package var note: String?
    /// What follows the only candidate, such as a blank.
    package var append: Character?

    package init(
        _ text: String, shown: String? = nil, note: String? = nil, append: Character? = nil
    ) {
        self.text = text
        self.shown = shown
        self.note = note
        self.append = append
    }
}

/// What can stand at a cursor.
package struct Completion: Hashable, Sendable {
    /// Where the typed word begins that a candidate replaces, in UTF-8.
    package let start: Int
    /// In the order of the list.
    package let candidates: [Candidate]

    package init(start: Int, candidates: [Candidate]) {
        self.start = start
        self.candidates = candidates
    }

    package static let none = Completion(start: 0, candidates: [])
}
