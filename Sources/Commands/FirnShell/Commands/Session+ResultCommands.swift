import FirnEngine
import FirnFormats
import FirnQuery
import FirnTools
import FirnValues

/// `.back`, `.chain`, `.code`, `.save`, `.results`, `.more`, `.chart`, `.last`.
extension Session {
    func result(
        _ name: DotCommandName, _ arguments: DotArguments
    ) throws(CommandFailure) {
        switch name {
        case .back: try goBack(arguments)
        case .chain: try showChain(arguments)
        case .code: try showCode(arguments)
        case .save: try saveLast(arguments)
        case .results: try listResults(arguments)
        case .more: try showMore(arguments)
        case .chart: try chart(arguments)
        default:
            try arguments.none()
            try run(try lastQuery())
        }
    }

    func lastQuery() throws(CommandFailure) -> ShellQuery {
        guard let last = results.last else {
            throw .diagnostic(
                Diagnostic(.usageQuery, "there is no result yet"))
        }
        return last
    }

    private func goBack(_ arguments: DotArguments) throws(CommandFailure) {
        try arguments.none()
        guard let before = try lastQuery().unrefined else {
            throw .diagnostic(Diagnostic(.usageQuery, "the last result has no refinement to undo"))
        }
        try run(before)
    }

    private func showChain(_ arguments: DotArguments) throws(CommandFailure) {
        try arguments.none()
        let query = try lastQuery()
        var text = ""
        var json = ""
        for (index, part) in query.parts.enumerated() {
            text += (index == 0 ? "" : "| ") + SafeText.escaping(part) + "\n"
            var record = JSONObject()
            record.add("depth", Int64(index + 1))
            record.add("query", part)
            json += record.text + "\n"
        }
        try show(text: text, json: json)
    }

    private func saveLast(_ arguments: DotArguments) throws(CommandFailure) {
        let name = try arguments.only()
        if Session.isFileName(name) { return try saveDatabase(in: name) }
        guard name.isQueryName else {
            throw arguments.wrong(
                "a name consists of letters, digits and _, and begins with a letter; "
                    + "a file has a dot or a slash in its name")
        }
        results.saved[name] = try lastQuery()
        report("saved as :\(name)")
    }

    private func listResults(_ arguments: DotArguments) throws(CommandFailure) {
        try arguments.none()
        let saved = results.saved.sorted { $0.key < $1.key }
        let rows = saved.map { [":" + $0.key, SafeText.escaping($0.value.text)] }
        let records = saved.map { item -> String in
            var record = JSONObject()
            record.add("name", item.key)
            record.add("query", item.value.text)
            return record.text + "\n"
        }
        try show(
            text: rows.isEmpty ? "" : TextColumns.aligned(rows, right: []), json: records.joined())
        if saved.isEmpty { report("there are no saved results") }
    }

    /// Draws a property of the last result, which remains the last result.
    private func chart(_ arguments: DotArguments) throws(CommandFailure) {
        var kind: String?
        var words = arguments.words.words
        if words.count == 2, let first = words.first, ArgumentKind.charts.contains(first) {
            kind = first
            words.removeFirst()
        }
        guard words.count == 1, let path = words.first else { throw arguments.wrong() }
        let query = try lastQuery()
        let isGrouped = try bound(query).stages.contains { stage in
            if case .group = stage { true } else { false }
        }
        let stage = "\(kind ?? (isGrouped ? "bar" : "hist"))(\(path))"
        try run(query.refined(by: stage), keepsResult: false)
    }

    /// Returns the query with its names resolved.
    private func bound(_ query: ShellQuery) throws(CommandFailure) -> BoundQuery {
        let printed = PrintedQuery(
            query.text, defaultClass: query.defaultClass, arguments: self.arguments)
        return try printed.bound(try snapshot(), named: try openDatabase().path)
    }

    /// Shows the rows after the shown ones, or the parts that a table has omitted.
    private func showMore(_ arguments: DotArguments) throws(CommandFailure) {
        try arguments.none()
        let query = try lastQuery()
        if results.lastSize?.isCut != true, results.isShortened {
            return try run(query, format: "line")
        }
        guard results.lastSize?.isCut == true else {
            return report("there are no more rows")
        }
        let shown = results.shownCount
        // After a pager was left early, all rows are shown again.
        let rest = shown > 0 ? query.refined(by: "SKIP(\(shown))") : query
        try run(rest, of: query, behind: shown)
    }

    private func showCode(_ arguments: DotArguments) throws(CommandFailure) {
        let query = try lastQuery()
        let database = try openDatabase()
        let bound = try bound(query)
        switch try arguments.onlyIfAny() ?? "rql" {
        case "rql": try show(bound.description + "\n")
        case "shell": try show(ResultCode.shell(bound, file: database.path) + "\n")
        case "swift": try show(try ResultCode.swift(bound) + "\n")
        default: throw arguments.wrong("expected swift, rql or shell")
        }
    }
}

extension String {
    /// Whether the name can follow a `:` or a `$`.
    var isQueryName: Bool {
        guard let first = unicodeScalars.first, first.isASCII,
            first.properties.isAlphabetic || first == "_"
        else { return false }
        return unicodeScalars.allSatisfy { scalar in
            scalar.isASCII
                && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_")
        }
    }
}
