import FirnEngine
import FirnQuery
import FirnSyntax
import FirnValues

/// Finds the candidates at the cursor of a line: in a statement, or in a dot command.
struct Completer {
    /// Returns the current names; called only when needed.
    private let scope: () -> CompletionScope

    init(_ scope: @escaping () -> CompletionScope) { self.scope = scope }

    /// - Parameters:
    ///   - before: the lines of the unfinished statement.
    ///   - cursor: the position of the cursor in the line, in UTF-8.
    /// - Returns: the completion, whose positions are relative to the line.
    func completion(before: String, line: String, cursor: Int) -> Completion {
        let typed = String(decoding: Array(line.utf8.prefix(cursor)), as: UTF8.self)
        // readline does not place the cursor inside a character.
        guard typed.utf8.count == min(cursor, line.utf8.count) else { return .none }
        let found = completion(before, typed, scope())
        // Names have no escapes, and the line is shown unchanged, so such a name must be typed.
        return Completion(
            start: found.start,
            candidates: found.candidates.filter { candidate in
                !candidate.text.unicodeScalars.contains(where: SafeText.isHarmful)
            })
    }

    private func completion(
        _ before: String, _ typed: String, _ scope: CompletionScope
    ) -> Completion {
        if before.isEmpty, typed.drop(while: \.isWhitespace).first == "." {
            return DotCompletion(scope).completion(of: typed)
        }
        // A statement continues on the next line; the end of the previous line is a space.
        let text = before.isEmpty || before.hasSuffix("\n") ? before : before + "\n"
        return Completer.query(text, typed, scope)
    }

    /// - Parameter skipped: the text before the positions of the completion.
    static func query(_ skipped: String, _ typed: String, _ scope: CompletionScope) -> Completion {
        guard let snapshot = scope.snapshot else { return .none }
        let context = BindingContext(
            schema: snapshot.schema, defaultClass: scope.className, arguments: scope.arguments,
            now: snapshot.now)
        var environment = QueryCompletion.CommandEnvironment()
        environment.lastResult = scope.lastResult
        environment.savedResults = scope.savedResults
        environment.formats = scope.formats
        environment.texts = { owner, property, prefix in
            snapshot.listedTexts(of: property, in: owner, startingWith: prefix)
        }
        let found = QueryCompletion(entry: .repl, in: context, environment)
            .completion(of: skipped + typed)
        let start = found.start - skipped.utf8.count
        // A word that began in an earlier line can no longer be replaced.
        guard start >= 0 else { return .none }
        return Completion(start: start, candidates: found.candidates)
    }
}
