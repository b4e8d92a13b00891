import ArgumentParser
import FirnEngine
import FirnValues

/// The note that a command adds to its commits.
struct NoteOptions: ParsableArguments {
    @Option(
        name: [.customShort("m"), .customLong("note")],
        help: ArgumentHelp(
            "A note on the commit, which firn log and firn observe show; FIRN_AUTHOR names its "
                + "author.", valueName: "TEXT"))
    var note: String?

    func validate() throws {
        if let note, note.utf8.count > Annotation.noteByteCountMaximum {
            throw ValidationError("a note has at most \(Annotation.noteByteCountMaximum) bytes")
        }
    }
}

extension Annotation {
    /// Returns the author and the note as parts of a line for people: `by Bo`, `"fix the ages"`.
    static func parts(author: String, note: String) -> [String] {
        var parts: [String] = []
        if !author.isEmpty { parts.append("by \(SafeText.escaping(author))") }
        if !note.isEmpty { parts.append("\"\(SafeText.escaping(note))\"") }
        return parts
    }
}
