import FirnFormats
import FirnPlatform
import FirnValues

/// The answer to `firn` alone in a folder with databases or tables: the files, and commands for
/// them.
struct FolderGuide {
    private static let filesMax = 8
    /// The endings of the files that are listed; other JSON files are rarely data.
    private static let endings = [".csv", ".tsv", ".ndjson", ".jsonl"]

    private struct File {
        let name: String
        let size: UInt64
        let isDatabase: Bool
    }

    private let files: [File]
    private let names: TextSet
    /// The number of files that are not listed.
    private let omittedCount: Int

    /// - Returns: `nil` if the working folder has no such files.
    init?(_ environment: CommandEnvironment) {
        let all = environment.namesInFolder(".").filter { !$0.hasPrefix(".") }.sorted()
        let databases = all.filter { $0.hasSuffix(".firn") }
        let tables = all.filter { FolderGuide.databaseName(for: $0) != nil }
        // Neither kind hides the other.
        let databaseCount = max(FolderGuide.filesMax / 2, FolderGuide.filesMax - tables.count)
        let first = Array(databases.prefix(databaseCount))
        let listed = first + tables.prefix(FolderGuide.filesMax - first.count)
        files = listed.compactMap { name in
            // A file that cannot be examined cannot be opened either.
            guard let status = try? environment.services.files.status(of: name),
                status.kind == .regular
            else { return nil }
            return File(name: name, size: status.size, isDatabase: name.hasSuffix(".firn"))
        }
        guard !files.isEmpty else { return nil }
        names = TextSet(all)
        omittedCount = databases.count + tables.count - listed.count
    }

    var text: String {
        let rows = files.map { [SafeText.escaping($0.name), Formatting.bytes($0.size)] }
        var text = """
            firn \(ProgramVersion.number): an object database in one file

            in this folder:

            """
        text += TextColumns.aligned(rows, right: [1])
        if omittedCount > 0 { text += "  and \(omittedCount) more\n" }
        text += "\ntry:\n" + TextColumns.aligned(commands, right: [])
        return text + "\nfirn help lists all commands.\n"
    }

    /// Three commands that fit the files, with their purposes.
    private var commands: [[String]] {
        let database = files.first(where: \.isDatabase).map { ShellWord.quoted($0.name) }
        let table = files.first { !$0.isDatabase }
        var commands: [[String]] = []
        if let database {
            commands.append(["firn \(database)", "open the database in a shell"])
            commands.append(["firn schema \(database)", "list its classes"])
        }
        if let table {
            let name = ShellWord.quoted(table.name)
            commands.append(["firn \(name)", "query the file in a shell"])
            if let made = FolderGuide.databaseName(for: table.name), !names.contains(made) {
                commands.append([
                    "firn create \(ShellWord.quoted(made)) --from \(name)",
                    "make a database from the file",
                ])
            }
            commands.append(["firn query \(name) 'LIMIT(5)'", "print the first rows"])
        } else if let database {
            commands.append(["firn observe \(database)", "show its changes as they are committed"])
        }
        return Array(commands.prefix(3))
    }

    /// Returns the name of a database for a table; `nil` if the file is not a table by its name.
    static func databaseName(for table: String) -> String? {
        let content = Compression.nameOfContent(table)
        guard endings.contains(where: { content.lowercased().hasSuffix($0) }),
            let (stem, _) = content.cut(atLast: ".")
        else { return nil }
        return "\(stem).firn"
    }
}

extension Diagnostic {
    /// Adds the command that creates a database from a table that was given in place of a database.
    func suggestingDatabase(_ environment: CommandEnvironment) -> Diagnostic {
        guard slug == .fileNotADatabase, let file, let made = FolderGuide.databaseName(for: file)
        else { return self }
        let isTaken = (try? environment.services.files.status(of: made)) != nil
        var diagnostic = self
        diagnostic.remedy =
            "make a database with: firn create \(isTaken ? "FILE" : ShellWord.quoted(made)) "
            + "--from \(ShellWord.quoted(file))"
        return diagnostic
    }
}
