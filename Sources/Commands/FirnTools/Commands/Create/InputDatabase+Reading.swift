package import FirnFormats
import FirnPlatform
import FirnValues

/// The database of an input.
extension InputDatabase {
    /// The class of an input without a name, such as standard input.
    private static let classOfStreams = "Input"

    /// - Parameters:
    ///   - file: the input; `-` for standard input.
    ///   - className: the name of its class; by default, it is derived from the name of the file.
    ///   - records: the conversion of its records.
    ///   - isQuiet: whether no message is printed.
    ///   - texts: all that can name classes, if nothing else will be asked. Of a Realm file, the objects
    ///     of other classes are not read.
    package init(
        _ file: String, className: String?, _ records: RecordForm = RecordForm(),
        isQuiet: Bool, neededBy texts: [String]? = nil,
        _ environment: CommandEnvironment
    ) throws(CommandFailure) {
        let named = file == "-" ? nil : ClassName.from(path: file)
        let name = className ?? named ?? InputDatabase.classOfStreams
        let environment = try environment.withMemory()
        let path = try InputDatabase.freePath(name, environment)
        var options = CreateOptions(
            input: FromInput(
                className: ForeignDatabase.isOne(file, environment) ? nil : className, path: file),
            file: path,
            decisions: InputDatabase.decisions(isQuiet: isQuiet, environment),
            isQuiet: isQuiet || environment.verbosity == 0)
        options.records = records
        options.classOfUnnamed = name
        options.neededBy = texts
        let line = Progress(.auto, quiet: isQuiet, environment)
        defer { line.clear() }
        let creator = try DatabaseCreator(options, line, environment)
        let made = try creator.make(try CreatePlan(options, line, environment))
        if !isQuiet, !made.notes.isEmpty, environment.outputIsTerminal {
            line.clear()
            environment.note(made.notes)
        }
        let names = made.classes.filter { !$0.isEmbedded }.map(\.name)
        self.init(
            path: path, environment: environment,
            className: names.count == 1 ? names.first : nil)
    }

    /// Returns the extent of the report: a short one for people, and none for data read by a
    /// program.
    private static func decisions(
        isQuiet: Bool, _ environment: CommandEnvironment
    ) -> DecisionReport.Extent {
        if environment.verbosity > 0 { return .all }
        return environment.outputIsTerminal && !isQuiet ? .changes : .none
    }

    /// Returns a path in memory that no database has.
    private static func freePath(
        _ name: String, _ environment: CommandEnvironment
    ) throws(CommandFailure) -> String {
        let start = "\(MountedFileSystem.folder)/"
        do {
            var path = "\(start)\(name).firn"
            var number = 1
            while try environment.services.files.status(of: path) != nil {
                number += 1
                path = "\(start)\(name)-\(number).firn"
            }
            return path
        } catch {
            throw .diagnostic(Diagnostic(error, "cannot read the names in memory"))
        }
    }

    // MARK: Recognition

    /// The failure to open standard input as a database.
    static var notADatabase: CommandFailure {
        .diagnostic(Diagnostic(.fileNotADatabase, "standard input is not a database"))
    }

    /// Returns whether a file that cannot be opened as a database can be read as an input.
    ///
    /// - Parameter failure: the reason why it is not a database.
    package static func canRead(
        _ file: String, after failure: CommandFailure, _ environment: CommandEnvironment
    ) -> Bool {
        if isFolder(file, environment) || failure.isMissingFile && InputPattern.isPattern(file) {
            return true
        }
        guard failure.isNotADatabase else { return false }
        // An input in a known format that cannot be read gets an error that names the format.
        if file == "-" || InputFormat.isNamed(file) || RealmInput.isRealm(file, environment)
            || isForeign(file, environment)
        {
            return true
        }
        // The pipe of `<(command)` has no telling name. The attempt to open it as a database lost
        // nothing, because this process holds it open; a FIFO of another name may have lost its
        // writer.
        // Other devices, such as /dev/zero, may never end.
        guard file == "/dev/stdin" || file.hasPrefix("/dev/fd/") else { return false }
        let status = try? environment.services.files.status(of: file)
        return status?.kind == .other
    }
}

extension InputDatabase {
    private static func isFolder(_ file: String, _ environment: CommandEnvironment) -> Bool {
        (try? environment.services.files.status(of: file))?.kind == .directory
    }

    private static func isForeign(_ file: String, _ environment: CommandEnvironment) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 32)
        // A file that cannot be read keeps the error of opening it.
        guard let opened = try? environment.services.files.open(file, .readOnly),
            let count = bytes.withUnsafeMutableBytes({ try? opened.read(at: 0, into: $0) })
        else { return false }
        let beginning = Array(bytes.prefix(count))
        if ColumnarFormat(beginning: beginning) != nil { return true }
        let foreign = ForeignInput(beginning: beginning)
        return foreign != nil && foreign != .firn
    }
}
