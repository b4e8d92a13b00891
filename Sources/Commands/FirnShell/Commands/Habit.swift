import FirnEngine
import FirnFormats
import FirnQuery
import FirnTools
import FirnValues

/// The commands of other shells that users type out of habit.
enum Habit {
    private static let statements: TextMap<DotCommandName> = [
        "help": .help, "?": .help, "\\?": .help, "\\h": .help,
        "quit": .quit, "exit": .quit, "bye": .quit, "logout": .quit, "\\q": .quit, "q": .quit,
        "tables": .classes, "show tables": .classes, "classes": .classes, "\\d": .classes,
        "\\dt": .classes, "begin": .begin, "commit": .commit, "rollback": .cancel, "undo": .undo,
        "schema": .schema, "history": .history,
    ]

    /// Returns the equivalent command, if a statement is not in the query language.
    static func command(for statement: String) -> DotCommandName? {
        // None has more than two words, and most statements have.
        let words = statement.utf8.split(maxSplits: 2) { $0 <= UInt8(ascii: " ") }
        guard words.count <= 2 else { return nil }
        let text = words.map { String(Substring($0)) }.joined(separator: " ")
        return statements[(text.hasSuffix(";") ? text.dropLast() : text[...]).lowercased()]
    }

    /// The names of the commands in other shells.
    static let commands: TextMap<DotCommandName> = [
        "exit": .quit, "bye": .quit, "tables": .classes, "import": .write, "load": .write,
        "dump": .export, "backup": .save, "rollback": .cancel, "abort": .cancel, "edit": .history,
        "headers": .mode, "header": .mode, "separator": .mode,
    ]
}

extension Session {
    /// Rejects a statement that can only be a command of another shell, and names the equivalent
    /// command.
    func checkHabit(_ statement: String) throws(CommandFailure) {
        guard let command = Habit.command(for: statement) else { return }
        let word = statement.split { $0.isWhitespace || $0 == ";" }.first.map(String.init) ?? ""
        // A class or a property can have any name.
        if database != nil {
            let classes = try snapshot().schema.classes
            if classes.contains(where: { $0.name == word }) { return }
            let used = classes.first { $0.name == className }
            if used?.properties.contains(where: { $0.name == word }) == true { return }
        }
        var diagnostic = Diagnostic(
            .querySyntax, "shell commands begin with a dot: .\(command.rawValue)")
        diagnostic.suggestions = [".\(command.rawValue)"]
        diagnostic.remedy = command == .quit ? "or press Ctrl-D" : nil
        throw .diagnostic(diagnostic)
    }
}
