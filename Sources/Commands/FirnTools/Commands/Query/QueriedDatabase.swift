import FirnEngine
import FirnFormats
import FirnQuery
import FirnValues

/// The database of a query: a file, or the objects of an input in memory.
struct QueriedDatabase {
    let open: OpenDatabase
    /// The class of a query that does not name one.
    let className: String?
    /// Whether the file is a database, and not an input that was read into one.
    let isDatabase: Bool

    init(
        _ options: QueryOptions, _ environment: CommandEnvironment
    ) throws(CommandFailure) {
        let version = options.version?.reference
        var environment = environment
        if let size = options.maxMemory {
            environment.storeOptions.statementByteCount = Int(clamping: size.count)
        }
        do throws(CommandFailure) {
            guard options.file != "-" else { throw InputDatabase.notADatabase }
            open = try OpenDatabase(options.file, at: version, environment)
            className = options.className
            isDatabase = true
        } catch {
            guard InputDatabase.canRead(options.file, after: error, environment) else {
                throw error
            }
            let input = try InputDatabase(
                options.file, className: options.className, options.records,
                isQuiet: options.isQuiet, neededBy: QueriedDatabase.texts(options), environment)
            let made = try OpenDatabase(input.path, at: version, input.environment)
            // Errors name the input.
            open = OpenDatabase(options.file, made.database, made.snapshot)
            className = options.className ?? input.className
            isDatabase = false
        }
    }

    /// Returns the texts that can name the classes of a query; `nil` if files or parameters can
    /// name others.
    private static func texts(_ options: QueryOptions) -> [String]? {
        guard options.queryFile == nil, options.parameterFile == nil,
            options.arguments.values.isEmpty
        else { return nil }
        return options.query
            + [options.className, options.properties, options.sort].compactMap(\.self)
    }
}
