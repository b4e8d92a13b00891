import FirnFormats
import FirnTools
import FirnValues

/// `.history`, `.edit`.
extension Session {
    func history(_ arguments: DotArguments) throws(CommandFailure) {
        if arguments.word(0) == "delete" { return try forget(arguments) }
        let entries = history?.entries ?? []
        var shown = Array(entries.enumerated())
        if let count = Int(arguments.text), count >= 0 {
            shown = shown.suffix(count)
        } else if !arguments.text.isEmpty {
            let part = arguments.text.lowercased()
            shown = shown.filter { $0.element.statement.lowercased().contains(part) }
        }
        let width = String(entries.count).count
        try show(
            shown.map { entry in
                let number = String(entry.offset + 1)
                let space = String(repeating: " ", count: width - number.count)
                return "\(space)\(number)  \(SafeText.escaping(entry.element.statement))\n"
            }.joined())
    }

    /// Deletes statements by their numbers, from the session, the recall list and the file.
    private func forget(_ arguments: DotArguments) throws(CommandFailure) {
        guard arguments.count == 2, let word = arguments.word(1) else { throw arguments.wrong() }
        let ends = word.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard ends.count <= 2, let first = ends.first ?? nil, let last = ends.last ?? nil,
            first >= 1, first <= last
        else { throw arguments.wrong("a statement has a number, such as 7 or 7-9; see .history") }
        guard let history, history.entries.indices.contains(last - 1) else {
            throw arguments.wrong("there is no statement \(last); see .history")
        }
        // Last to first, so that the numbers of earlier statements do not change.
        for number in stride(from: last, through: first, by: -1) {
            history.remove(at: number - 1)
        }
        report("\(Formatting.count(UInt64(last - first + 1), "statement")) deleted")
    }

    /// Lets the user edit an earlier statement.
    ///
    /// - Returns: the edited statement; `nil` if it is unchanged.
    func edited(_ arguments: DotArguments) throws(CommandFailure) -> String? {
        guard isInteractive else {
            throw .diagnostic(.usage(".edit works only at a terminal"))
        }
        try checkSafe("shell commands")
        let word = try arguments.onlyIfAny()
        let entries = history?.entries ?? []
        let statement: String
        if let word {
            guard let number = Int(word), entries.indices.contains(number - 1) else {
                throw arguments.wrong(
                    "there is no statement \(SafeText.escaping(word)); see .history")
            }
            statement = entries[number - 1].statement
        } else {
            // The latest statement is usually the command that opens the editor.
            statement = entries.last { !Session.asksForEditor($0.statement) }?.statement ?? ""
        }
        let text = try TextEditor(environment).edit(statement)
        if text == nil { report("the statement is unchanged") }
        return text
    }

    private static func asksForEditor(_ statement: String) -> Bool {
        guard statement.first == "." else { return false }
        let name = statement.dropFirst().prefix { !$0.isWhitespace }
        return (try? DotCommandName.find(String(name), allowsPrefix: true)) == .edit
    }
}
