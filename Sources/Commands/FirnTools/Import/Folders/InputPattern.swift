import FirnFormats
import FirnPlatform
import FirnValues

/// A file that an input names.
struct InputFile {
    let path: String
    /// The columns in the names of the folders that were found.
    var columns: [FolderColumn] = []
    /// The folder that was named instead of its files.
    var folder: String?
}

/// A path of inputs: a file, a folder, or a pattern such as `2013-*.csv` or `by/*/*`.
struct InputPattern {
    /// The maximum number of files of a path; a path with more is a mistake.
    private static let filesMax = 100_000
    /// The maximum depth of folders; deeper ones are a loop of links.
    private static let depthMax = 32

    private let path: String
    private let environment: CommandEnvironment
    /// The path up to the first part that is found.
    private var base = ""
    private var found: [(path: String, names: [String], isInFolder: Bool)] = []

    /// Returns the files that a path names, sorted by their names: the path itself, if it is a file or
    /// does not exist; the files of a folder, in all levels; or those that match a pattern.
    ///
    /// Files in a folder whose names begin with a dot or an underscore are not data, as in Hive.
    static func files(
        _ path: String, _ environment: CommandEnvironment
    ) throws(CommandFailure) -> [InputFile] {
        guard path != "-" else { return [InputFile(path: path)] }
        var pattern = InputPattern(path: path, environment: environment)
        if let status = try? environment.services.files.status(of: path) {
            guard status.kind == .directory else { return [InputFile(path: path)] }
            pattern.base = path
            try pattern.walk(path, [])
        } else {
            guard isPattern(path) else { return [InputFile(path: path)] }
            try pattern.match()
        }
        return try pattern.files()
    }

    /// Returns whether a path that names no file can be a pattern.
    static func isPattern(_ path: some StringProtocol) -> Bool {
        path.utf8.contains { "*?[".utf8.contains($0) }
    }

    private init(path: String, environment: CommandEnvironment) {
        self.path = path
        self.environment = environment
    }

    private func files() throws(CommandFailure) -> [InputFile] {
        guard !found.isEmpty else {
            var diagnostic = Diagnostic(
                .fileMissing,
                base == path
                    ? "\(SafeText.escaping(path)) has no files"
                    : "no file matches \(SafeText.escaping(path))")
            diagnostic.remedy = "* matches any text, ? a character, and [a-z] one of several"
            throw .diagnostic(diagnostic)
        }
        let columns = FolderColumn.all(of: found.map(\.names))
        return zip(found, columns).map { file, columns in
            let isNamed = file.isInFolder || !columns.isEmpty
            return InputFile(
                path: file.path, columns: columns, folder: isNamed && !base.isEmpty ? base : nil)
        }
    }

    /// Finds what matches each part of the path.
    private mutating func match() throws(CommandFailure) {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let literal = parts.prefix { !Self.isPattern($0) }
        base = literal.joined(separator: "/")
        parts.removeFirst(literal.count)
        let start = literal.isEmpty ? "" : base + "/"
        try match(parts[...], below: start, [])
    }

    private mutating func match(
        _ parts: ArraySlice<String>, below folder: String, _ names: [String]
    ) throws(CommandFailure) {
        guard let part = parts.first else { return }
        let rest = parts.dropFirst()
        let matching = try entries(of: folder.isEmpty ? "." : folder).filter { $0.matches(part) }
        let hasFolders = matching.contains(where: \.isFolder)
        for entry in matching {
            // Beside folders of data, such a name is one of those that walk(_:_:) leaves out.
            if hasFolders, entry.name.hasPrefix("_") { continue }
            let path = folder + entry.name
            if !entry.isFolder {
                if rest.isEmpty { try add(path, names, isInFolder: false) }
            } else if rest.isEmpty {
                try walk(path, names + [entry.name])
            } else {
                try match(rest, below: path + "/", names + [entry.name])
            }
        }
    }

    private mutating func walk(_ folder: String, _ names: [String]) throws(CommandFailure) {
        guard names.count < Self.depthMax else {
            throw tooMany("\(SafeText.escaping(folder)) has more than \(Self.depthMax) levels")
        }
        for entry in try entries(of: folder)
        where !entry.name.hasPrefix(".") && !entry.name.hasPrefix("_") {
            let path = folder.hasSuffix("/") ? folder + entry.name : "\(folder)/\(entry.name)"
            switch entry.kind {
            case .directory: try walk(path, names + [entry.name])
            case .regular, nil: try add(path, names, isInFolder: true)
            // A pipe that nobody has named could be waited for without an end.
            case .other: throw notRegular(path)
            }
        }
    }

    private mutating func add(
        _ path: String, _ names: [String], isInFolder: Bool
    ) throws(CommandFailure) {
        guard found.count < Self.filesMax else { throw tooManyFiles }
        found.append((path, names, isInFolder))
    }

    private func entries(of folder: String) throws(CommandFailure) -> [FolderEntry] {
        try environment.checkSignals()
        let entries: [FolderEntry]
        do { entries = try FolderEntry.all(in: folder, countMax: Self.filesMax + 1) } catch {
            throw .diagnostic(Diagnostic(error, "cannot read \(SafeText.escaping(error.path))"))
        }
        guard entries.count <= Self.filesMax else { throw tooManyFiles }
        return entries.sorted { $0.name < $1.name }
    }

    private func notRegular(_ path: String) -> CommandFailure {
        let shown = SafeText.escaping(path)
        var diagnostic = Diagnostic(
            .inputNotAFile, "cannot read \(shown): it is not a regular file")
        diagnostic.file = path
        diagnostic.remedy = "name the files of the folder by a pattern"
        return .diagnostic(diagnostic)
    }

    private var tooManyFiles: CommandFailure {
        tooMany("\(SafeText.escaping(path)) has more than \(Self.filesMax) files")
    }

    private func tooMany(_ message: String) -> CommandFailure {
        var diagnostic = Diagnostic(.usageArguments, message)
        diagnostic.remedy = "name a folder or pattern with fewer of them"
        return .diagnostic(diagnostic)
    }
}
