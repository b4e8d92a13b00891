package import FirnValues

/// What an interactive shell begins with: the command line as plain values.
package struct ShellInvocation {
    /// The database; `nil` to begin without one.
    package var file: String?
    /// The class of statements that name none.
    package var className: String?
    /// The format of results, one of ``PrintedQuery/formatNames``.
    package var format = "auto"
    /// The values of `$name`.
    package var arguments: [String: Value] = [:]
    /// Whether nothing may be changed.
    package var isReadOnly = false
    /// Whether no other files and no programs may be touched.
    package var isSafe = false
    /// Whether changes are allowed although it is safe.
    package var allowsChanges = false
    /// How long to wait for other writers; `nil` as the environment says.
    package var waitNanoseconds: UInt64?
    package var isQuiet = false
    package var errors = ErrorStyle.human

    package init() {}
}
