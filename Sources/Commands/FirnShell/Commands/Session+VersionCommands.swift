import FirnEngine
import FirnFormats
import FirnQuery
import FirnTools
import FirnValues

/// `.at`, `.freeze`, `.freezes`, `.log`, `.observe`, `.observers`, `.stop`.
extension Session {
    /// The default number of versions that `.log` lists.
    private static let loggedCount = 10

    func version(
        _ name: DotCommandName, _ arguments: DotArguments
    ) throws(CommandFailure) {
        switch name {
        case .at: try look(arguments)
        case .freeze: try freeze(arguments)
        case .freezes:
            try arguments.none()
            try perform("freeze", ["--list", "-f", isForPeople ? "text" : "ndjson"])
        case .log: try log(arguments)
        case .observe: try observe(try onlyQuery(try arguments.query()))
        case .observers: try listObservers(arguments)
        default: try stop(arguments)
        }
    }

    // MARK: Older versions

    private func look(_ arguments: DotArguments) throws(CommandFailure) {
        let database = try openDatabase()
        guard let word = try arguments.onlyIfAny() else {
            return report("version \(SafeText.escaping(frozen?.name ?? "head"))")
        }
        try checkNoTransaction("read another version")
        if word == "head" {
            frozen = nil
            return
        }
        guard let reference = VersionReference(text: word) else {
            throw arguments.wrong("a version is a number, the name of a freeze, @-N or head")
        }
        do throws(StoreError) {
            let snapshot = try database.database.snapshot(at: reference)
            var name = "\(snapshot.version.rawValue)"
            if case .freeze(let freeze) = reference { name = freeze }
            frozen = Frozen(name: name, snapshot: snapshot)
        } catch {
            throw VersionFailure.failure(
                error.renamed(database.path), at: reference, in: database.database.store)
        }
    }

    private func freeze(_ arguments: DotArguments) throws(CommandFailure) {
        let name = try arguments.only()
        try checkNoTransaction("freeze a version")
        guard !isReadOnly else {
            throw .diagnostic(
                Diagnostic(.fileReadOnly, "the database is open read-only"))
        }
        let text = isForPeople ? "text" : "json"
        try perform("freeze", [name, "-f", text] + versionWords)
    }

    private func log(_ arguments: DotArguments) throws(CommandFailure) {
        var count = Session.loggedCount
        if let word = try arguments.onlyIfAny() {
            guard let number = Int(word), number > 0 else {
                throw arguments.wrong("the number of versions is at least 1")
            }
            count = number
        }
        try perform("log", ["-n", "\(count)", "-f", isForPeople ? "text" : "ndjson"])
    }

    // MARK: Observers

    /// Starts an observer for a query.
    func observe(_ query: ShellQuery) throws(CommandFailure) {
        try checkQuery(query)
        let number = try observers.start(
            query, self.arguments, in: try openDatabase().location)
        report("observer \(number) has started; stop it with .stop \(number)")
    }

    private func listObservers(_ arguments: DotArguments) throws(CommandFailure) {
        try arguments.none()
        let list = observers.list
        let rows = list.map { ["\($0.number)", SafeText.escaping($0.query)] }
        let records = list.map { observer -> String in
            var record = JSONObject()
            record.add("number", Int64(observer.number))
            record.add("query", observer.query)
            return record.text + "\n"
        }
        try show(
            text: rows.isEmpty ? "" : TextColumns.aligned(rows, right: [0]),
            json: records.joined())
        if list.isEmpty { report("there are no observers") }
    }

    private func stop(_ arguments: DotArguments) throws(CommandFailure) {
        guard let word = try arguments.onlyIfAny() else { return observers.stopAll() }
        guard let number = Int(word), observers.stop(number) else {
            throw arguments.wrong("there is no observer \(SafeText.escaping(word))")
        }
    }
}
