package import FirnFormats
package import FirnQuery

/// The command line of an interactive shell, as plain values.
package struct ShellInvocation {
    /// The database; `nil` to start without one.
    package var file: String?
    /// The class of statements that name no class.
    package var className: String?
    /// The format of results, one of ``PrintedQuery/formatNames``.
    package var format = "auto"
    /// The values of `$name`.
    package var arguments: QueryArguments = [:]
    /// Whether the database is opened read-only.
    package var isReadOnly = false
    /// Whether other files and programs are forbidden.
    package var isSafe = false
    /// Whether changes are allowed in safe mode.
    package var allowsChanges = false
    /// Reads a file that is not a database, as the command line specifies; `nil` to find its form.
    package var readInput: InputReader?
    /// The time to wait for other writers; `nil` for the value of the environment.
    package var waitNanoseconds: UInt64?
    package var isQuiet = false
    package var errors = ErrorStyle.human

    /// Reads the input at a path into memory, with the name of its class and whether nothing is printed.
    package typealias InputReader =
        (String, String?, Bool, CommandEnvironment) throws(CommandFailure) -> InputDatabase

    package init() {}
}
