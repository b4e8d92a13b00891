import FirnValues

/// A completion that is valid at the cursor.
package struct Candidate: Hashable, Sendable {
    /// The text that replaces the typed word, as spelled in the language.
    package let text: String
    /// The text to display in a list, if it differs.
    package var shown: String?
    /// A note to display after the text in a list, such as the type of a property.
    package var note: String?
    /// The character to append to a sole candidate, such as a blank.
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

/// The completions that are valid at a cursor.
package struct Completion: Hashable, Sendable {
    /// The UTF-8 offset of the typed word that a candidate replaces.
    package let start: Int
    /// The candidates, in display order.
    package let candidates: [Candidate]

    package init(start: Int, candidates: [Candidate]) {
        self.start = start
        self.candidates = candidates
    }

    package static let none = Completion(start: 0, candidates: [])
}
