import FirnEngine
import FirnFormats
import FirnTools
import FirnValues

/// Running dot commands.
extension Session {
    /// - Parameter line: the line, starting with the dot.
    func execute(command line: String) throws(CommandFailure) -> Step {
        let words = DotCommandWords(line)
        let name = try DotCommandName.find(words.name, allowsPrefix: isInteractive)
        if words.words == ["--help"] || words.words == ["-h"] {
            try showHelp(name.help)
            return .goOn
        }
        let arguments = DotArguments(command: name, words: words)
        if name == .quit { return .leave(try status(arguments)) }
        if name == .edit { return try edited(arguments).map { .again($0) } ?? .goOn }
        try carryOut(name, arguments)
        return .goOn
    }

    private func status(_ arguments: DotArguments) throws(CommandFailure) -> Int32 {
        guard let word = try arguments.onlyIfAny() else { return 0 }
        guard let status = Int32(word), (0...255).contains(status) else {
            throw arguments.wrong("a status is a number from 0 to 255")
        }
        return status
    }

    private func carryOut(
        _ name: DotCommandName, _ arguments: DotArguments
    ) throws(CommandFailure) {
        switch name {
        case .quit, .edit: break
        case .help, .open, .close, .show, .version, .history: try session(name, arguments)
        case .classes, .schema, .use, .describe: try schema(name, arguments)
        case .mode, .null, .width, .color, .rows, .pager, .timezone, .timer, .once, .output,
            .explain:
            try setting(name, arguments)
        case .back, .chain, .code, .save, .results, .more, .chart, .last:
            try result(name, arguments)
        case .begin, .commit, .cancel, .diff, .undo, .insert, .read, .write, .export:
            try data(name, arguments)
        case .at, .freeze, .freezes, .log, .observe, .observers, .stop:
            try version(name, arguments)
        case .stats, .check, .sessions, .profile: try engine(name, arguments)
        case .set, .unset, .vars, .capture: try variable(name, arguments)
        case .shell, .cd: try system(name, arguments)
        }
    }
}
