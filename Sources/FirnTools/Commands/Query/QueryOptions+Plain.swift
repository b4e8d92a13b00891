extension QueryOptions {
    /// Parses a command line that consists only of a database, stages of a query, `-c`, `-f` and
    /// `-q`; returns `nil` for any other command line, which the parser then parses or rejects.
    ///
    /// A command line that this initializer accepts means the same to the parser; see
    /// ``WriteOptions``.
    init?(plain words: [String]) {
        var names: [String] = []
        var className: String?
        var format: RowFormat?
        var isQuiet = false
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "-q", "--quiet": isQuiet = true
            case "-c", "--class":
                guard className == nil, let name = rest.popFirst(), FastPathArguments.isName(name)
                else { return nil }
                className = name
            case "-f", "--format":
                guard format == nil, let chosen = rest.popFirst().flatMap(RowFormat.init(rawValue:))
                else { return nil }
                format = chosen
            default:
                guard FastPathArguments.isName(word) else { return nil }
                names.append(word)
            }
        }
        guard let file = names.first else { return nil }
        self.init(file: file, query: Array(names.dropFirst()))
        self.className = className
        self.isQuiet = isQuiet
        rows.format = format
    }
}
