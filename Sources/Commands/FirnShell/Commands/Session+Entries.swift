import FirnEngine
import FirnFormats
import FirnPlatform
import FirnQuery
import FirnTools
import FirnValues

/// Running typed statements.
extension Session {
    func execute(_ entry: StatementBuffer.Entry) throws(CommandFailure) -> Step {
        switch entry {
        case .command(let line): return try execute(command: line)
        case .statement(let text):
            try execute(statement: text)
            return .goOn
        }
    }

    /// Returns whether a line begins a statement or command: with a dot, a class or an earlier
    /// result.
    func begins(_ line: String) -> Bool {
        let words = line.drop(while: \.isWhitespace)
        if words.first == "." || words.first == ":" { return true }
        let name = words.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        if name == "_" { return true }
        // An error is reported when the statement runs.
        return (try? snapshot())?.schema.classNamed(String(name)) != nil
    }

    /// Prints the two greeting lines.
    func greet() {
        report(banner)
        report(".help for help, Tab to complete")
    }

    /// A description of the open database, such as `firn 1.0 · app.firn · v43 · 3 classes, 1,204
    /// objects · 40 KiB`.
    var banner: String {
        var parts = ["firn \(FirnCommand.version)"]
        guard let database, let snapshot = try? snapshot() else {
            return (parts + ["no database is open"]).joined(separator: " · ")
        }
        parts.append(SafeText.escaping(database.path))
        parts.append("v\(snapshot.version.rawValue)")
        let classes = snapshot.schema.listedClasses
        let objects = classes.reduce(UInt64(0)) { sum, schema in
            sum + UInt64(clamping: snapshot.snapshot.table(schema.id)?.liveRowCount ?? 0)
        }
        parts.append(
            Formatting.count(UInt64(classes.count), "class") + ", "
                + Formatting.count(objects, "object"))
        if let size = try? database.database.store.fileStatus().size {
            parts.append(Formatting.bytes(size))
        }
        if database.isInMemory { parts.append("in memory, nothing on disk until .save FILE.firn") }
        return parts.joined(separator: " · ")
    }
}
