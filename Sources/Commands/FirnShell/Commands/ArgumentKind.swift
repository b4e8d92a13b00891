import FirnValues

/// The kind of an argument of a dot command, which determines its completion.
enum ArgumentKind: Hashable {
    /// A file to read or to write.
    case file
    /// A folder to change to.
    case folder
    /// A database file.
    case database
    case className
    /// A format of results, or `auto`.
    case format
    /// The name of a saved result.
    case savedResult
    /// The name of a freeze.
    case freeze
    /// A version: its number, the name of a freeze, `@-N` or `head`.
    case version
    case onOff
    /// A help topic: a dot command, or a topic about the shell.
    case topic
    /// A query to the end of the line.
    case query
    /// The name of a variable, without the dollar sign.
    case variable
    /// One of several fixed words.
    case choice([String])
    case number
    /// A shell command, to the end of the line.
    case shellCommand
    /// Any text, to the end of the line.
    case text

    /// The kinds of charts.
    static let charts = ["bar", "hist", "spark"]
}
