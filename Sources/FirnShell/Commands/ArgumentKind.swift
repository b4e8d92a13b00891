/// What a word of a dot command stands for; completion offers what there is of it.
enum ArgumentKind: Hashable {
    /// A file to read or to write.
    case file
    /// A folder to go to.
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
    /// A topic of the help: a dot command, or a word about the shell.
    case topic
    /// A query to the end of the line.
    case query
    /// The name of a variable, without the dollar sign.
    case variable
    /// One of a few words.
    case choice([String])
    case number
    /// A command for the shell of the system, to the end of the line.
    case shellCommand
    /// Anything, to the end of the line.
    case text
}
