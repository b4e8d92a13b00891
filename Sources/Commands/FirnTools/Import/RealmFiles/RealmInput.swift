import FirnFormats
import FirnPlatform
import FirnValues
import RealmFile

/// A Realm file of the command line, opened for reading.
struct RealmInput {
    /// The options for opening the file.
    struct Options {
        /// The file with the key of an encrypted file.
        var keyFile: String?
        /// Whether a copy is read, because another process may change the file.
        var isCopied = false
        /// The location of the copy.
        var copiesBeside = ""
    }

    private static let suffix = ".realm"

    let path: String
    let size: UInt64
    let reader: RealmReader
    /// The copy, kept as long as it is needed.
    private let copy: SpooledInput?

    /// Returns whether a path leads to a Realm file, judging by its content or its name.
    ///
    /// A file that cannot be read keeps the error of opening it.
    static func isRealm(_ path: String, _ environment: CommandEnvironment) -> Bool {
        guard path != "-" else { return false }
        let files = environment.services.files
        guard let status = try? files.status(of: path), status.kind == .regular else {
            return false
        }
        if path.lowercased().hasSuffix(suffix) { return true }
        guard let file = try? files.open(path, .readOnly),
            let content = try? FileAccessor(file)
        else { return false }
        var bytes = [UInt8](repeating: 0, count: 32)
        guard let count = try? bytes.withUnsafeMutableBytes({ try content.read(at: 0, into: $0) })
        else { return false }
        return RealmReader.isRealm(Array(bytes.prefix(count)))
            || (try? RealmReader.looksEncrypted(content)) == true
    }

    init(
        _ path: String, _ options: Options, _ line: Progress, _ environment: CommandEnvironment
    ) throws(CommandFailure) {
        self.path = path
        let key = try options.keyFile.map { (name) throws(CommandFailure) in
            try RealmKey.read(name, environment)
        }
        let isOpenElsewhere = AdvisoryLock.isHeld(path + ".lock")
        guard !isOpenElsewhere || options.isCopied else { throw RealmInput.inUse(path) }
        let opened = try OpenedInput(path, environment)
        copy =
            options.isCopied
            ? try SpooledInput(
                opened.source, named: opened.name, environment, beside: options.copiesBeside, line)
            : nil
        guard let file = copy?.file ?? opened.file else {
            throw .diagnostic(.usage("a Realm file cannot be read from a pipe"))
        }
        let content = try RealmInput.accessor(file, path)
        size = content.size
        let original =
            try copy == nil
            ? nil
            : opened.file.map { (file) throws(CommandFailure) in
                try RealmInput.accessor(file, path)
            }
        do {
            reader = try RealmReader(content, key: key)
            // A commit during the copying can have overwritten a part of the state in the copy.
            if let original { try reader.checkUnchanged(in: original) }
        } catch { throw CommandFailure(error, path) }
    }

    private static func accessor(
        _ file: any File, _ path: String
    ) throws(CommandFailure) -> FileAccessor {
        do { return try FileAccessor(file) } catch {
            throw .diagnostic(Diagnostic(error, "cannot read \(SafeText.escaping(path))"))
        }
    }

    private static func inUse(_ path: String) -> CommandFailure {
        CommandFailure(
            RealmFileError(.inUse, "another process has the file open and may change it"), path)
    }
}
