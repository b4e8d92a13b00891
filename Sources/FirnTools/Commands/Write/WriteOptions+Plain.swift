extension WriteOptions {
    /// Parses a command line that consists only of a database, inputs, `-x`, `-c` and `-q`; returns
    /// `nil` for any other command line, which the parser then parses or rejects.
    ///
    /// A process that changes one object does little else, and reflecting the declarations of all
    /// options takes longer than the change. A command line that this initializer accepts means the
    /// same to the parser.
    init?(plain words: [String]) {
        var plain: [WriteStep] = []
        var className: String?
        var isQuiet = false
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "-q", "--quiet": isQuiet = true
            case "-x", "--execute":
                guard let statement = rest.popFirst() else { return nil }
                plain.append(.statement(statement))
            case "-c", "--class":
                guard className == nil, let name = rest.popFirst(), FastPathArguments.isName(name)
                else { return nil }
                className = name
            default:
                guard FastPathArguments.isName(word) else { return nil }
                plain.append(.input(word))
            }
        }
        guard case .input(let file)? = plain.first, plain.count > 1 else { return nil }
        self.init(file: file, steps: Array(plain.dropFirst()))
        self.className = className
        self.isQuiet = isQuiet
    }
}
