import FirnFormats
import FirnValues

/// The options of sqlite3 and DuckDB that users type out of habit.
enum ForeignOption {
    /// The words that choose a format there, and the format here.
    private static let formats: TextMap = [
        "-csv": "csv", "-tabs": "tsv", "-json": "json", "-jsonlines": "ndjson", "-line": "line",
        "-html": "html", "-markdown": "markdown", "-box": "box", "-table": "table",
        "-column": "table", "-list": "csv", "-insert": "insert",
    ]

    /// Returns the remedy for the first such option among the words of a command line.
    static func remedy(in words: [String]) -> String? {
        for word in words {
            // Two dashes are typed by those who know the options of other programs.
            let name = word.hasPrefix("--") ? String(word.dropFirst()) : word
            if let format = formats[name] { return "the format is chosen with -f \(format)" }
            switch name {
            case "-header": return "column names are printed unless --no-header is given"
            case "-noheader": return "write --no-header"
            case "-readonly": return "reading commands never change a database; the shell has --ro"
            case "-separator": return "the formats csv and tsv have separators: -f csv or -f tsv"
            case "-nullvalue": return "write --null TEXT"
            case "-cmd": return "give statements on standard input: echo '...' | firn FILE"
            default: continue
            }
        }
        return nil
    }

    /// Returns the command for a dot command after a database, as in `firn app.firn .schema`.
    ///
    /// - Parameter words: the words after the database.
    static func command(for words: [String], file: String) -> String? {
        let parts = words.joined(separator: " ").split(separator: " ").map(String.init)
        guard let first = parts.first, first.hasPrefix(".") else { return nil }
        let file = ShellWord.quoted(file)
        let rest = parts.dropFirst().joined(separator: " ")
        switch first {
        case ".schema", ".tables", ".classes": return "firn schema \(file)"
        case ".backup", ".save": return "firn freeze \(file) -o \(rest.isEmpty ? "OUT" : rest)"
        case ".dump": return "firn export \(file) -f sql"
        case ".import": return "firn write \(file) \(rest.isEmpty ? "INPUT" : rest)"
        default: return "echo \(ShellWord.quoted(parts.joined(separator: " "))) | firn \(file)"
        }
    }
}
