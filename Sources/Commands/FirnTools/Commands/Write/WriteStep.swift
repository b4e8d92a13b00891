import ArgumentParser
import FirnValues

/// A step of `write`: the arguments of the command line in order, without the options.
enum WriteStep: ExpressibleByArgument, Hashable {
    /// A file, or `-` for standard input.
    case input(String)
    /// A statement of the query language.
    case statement(String)

    /// A NUL cannot occur in a command line.
    private static let mark: Character = "\0"

    init?(argument: String) {
        if argument.first == WriteStep.mark {
            self = .statement(String(argument.dropFirst()))
        } else {
            self = .input(argument)
        }
    }

    /// Converts `-x STATEMENT` to a plain argument, because the parser preserves the order of
    /// arguments but not the order of arguments and options.
    static func arranged(_ words: [String]) -> [String] {
        var arranged: [String] = []
        var index = 0
        while index < words.count {
            let word = words[index]
            index += 1
            if word == "--" {
                arranged.append(word)
                arranged += words[index...]
                break
            }
            if word == "-x" || word == "--execute", index < words.count {
                arranged.append(String(mark) + words[index])
                index += 1
            } else if let (option, statement) = word.cut(at: "="),
                option == "-x" || option == "--execute"
            {
                arranged.append(String(mark) + statement)
            } else {
                arranged.append(word)
            }
        }
        return arranged
    }
}
