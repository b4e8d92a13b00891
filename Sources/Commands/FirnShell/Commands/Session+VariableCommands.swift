import FirnFormats
import FirnQuery
import FirnSyntax
import FirnTools
import FirnValues

/// `.set`, `.unset`, `.vars`, `.capture`.
extension Session {
    func variable(
        _ name: DotCommandName, _ arguments: DotArguments
    ) throws(CommandFailure) {
        switch name {
        case .set: try set(arguments)
        case .unset: try unset(arguments)
        case .vars: try listVariables(arguments)
        default: try capture(arguments)
        }
    }

    private func variableName(_ arguments: DotArguments) throws(CommandFailure) -> String {
        guard let word = arguments.word(0) else { throw arguments.wrong() }
        let name = word.hasPrefix("$") ? String(word.dropFirst()) : word
        guard name.isQueryName else {
            throw arguments.wrong(
                "a name consists of letters, digits and _, and begins with a letter")
        }
        return name
    }

    /// Sets a variable to a JSON value if the text is valid JSON, otherwise to the text.
    private func set(_ arguments: DotArguments) throws(CommandFailure) {
        let name = try variableName(arguments)
        guard arguments.count > 1 else { throw arguments.wrong() }
        let text = arguments.words.rest(after: 1)
        let plain = arguments.count == 2 ? arguments.words.words[1] : text
        variables[name] = Value(json: text) ?? .string(plain)
    }

    private func unset(_ arguments: DotArguments) throws(CommandFailure) {
        let name = try variableName(arguments)
        guard arguments.count == 1 else { throw arguments.wrong() }
        guard variables.removeValue(forKey: name) != nil else {
            var diagnostic = Diagnostic(.usageArguments, "there is no variable $\(name)")
            diagnostic.suggestions = NearestNames.misspelt(name, among: variables.keys.sorted())
            diagnostic.remedy =
                diagnostic.suggestions.first.map { "did you mean $\($0)?" } ?? "see: .vars"
            throw .diagnostic(diagnostic)
        }
    }

    private func listVariables(_ arguments: DotArguments) throws(CommandFailure) {
        try arguments.none()
        let sorted = variables.sorted { $0.key < $1.key }
        let rows = sorted.map { ["$" + $0.key, SafeText.escaping(Canonical.literal($0.value))] }
        let records = sorted.map { item -> String in
            var record = JSONObject()
            record.add("name", item.key)
            record.add("value", Canonical.literal(item.value))
            return record.text + "\n"
        }
        try show(
            text: rows.isEmpty ? "" : TextColumns.aligned(rows, right: []), json: records.joined())
        if sorted.isEmpty { report("there are no variables") }
    }

    /// Sets a variable to the first value of the first row.
    private func capture(_ arguments: DotArguments) throws(CommandFailure) {
        let name = try variableName(arguments)
        let text = try arguments.query(after: 1)
        let statement = try onlyQuery(text)
        let snapshot = try snapshot()
        let printed = PrintedQuery(
            statement.text, defaultClass: statement.defaultClass, arguments: self.arguments)
        let columns = try printed.values(
            snapshot, named: try openDatabase().path, environment)
        guard let value = columns.first?.first else {
            throw .diagnostic(
                Diagnostic(.usageQuery, "the query returned no row to take a value from"))
        }
        variables[name] = value
        report("$\(name) is \(SafeText.escaping(Canonical.literal(value)))")
    }

    /// Returns the query of a dot command, which must return rows.
    func onlyQuery(_ text: String) throws(CommandFailure) -> ShellQuery {
        let statements: [ShellStatement]
        do { statements = try ShellStatement.parse(text) } catch {
            throw .diagnostic(Diagnostic(error, text: text, file: database?.path))
        }
        guard statements.count == 1, let only = statements.first, only.ending == .rows else {
            throw .diagnostic(Diagnostic(.usageQuery, "expected one query that returns rows"))
        }
        return try query(of: only)
    }
}
