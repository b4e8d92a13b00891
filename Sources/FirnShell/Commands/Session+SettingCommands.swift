import FirnEngine
import FirnTools

/// `.mode`, `.null`, `.width`, `.color`, `.rows`, `.pager`, `.timer`, `.once`, `.output`, `.explain`.
extension Session {
    func setting(
        _ name: DotCommandName, _ arguments: DotArguments
    ) throws(CommandFailure) {
        switch name {
        case .mode: try chooseFormat(arguments)
        case .null: settings.style.nullText = arguments.word(0) ?? ""
        case .width: try chooseWidth(arguments)
        case .color: try chooseColor(arguments)
        case .rows: try chooseRows(arguments)
        case .pager: try choosePager(arguments)
        case .timer: settings.showsCost = try arguments.switched(settings.showsCost)
        case .explain: settings.explains = try arguments.switched(settings.explains)
        case .once: settings.once = try target(try whole(arguments))
        default: try chooseOutput(arguments)
        }
    }

    private func chooseFormat(_ arguments: DotArguments) throws(CommandFailure) {
        guard let format = try arguments.onlyIfAny() else {
            return tell("format \(settings.style.format)")
        }
        guard PrintedQuery.formatNames.contains(format) else {
            throw .diagnostic(Session.unknownFormat(format))
        }
        settings.style.format = format
    }

    private func chooseWidth(_ arguments: DotArguments) throws(CommandFailure) {
        let word = try arguments.only()
        if word == "auto" {
            settings.style.width = nil
            return
        }
        guard let width = Int(word), width > 0 else {
            throw arguments.wrong("a width is auto or a number from 1 on")
        }
        settings.style.width = width
    }

    private func chooseColor(_ arguments: DotArguments) throws(CommandFailure) {
        let word = try arguments.only()
        guard PrintedQuery.colorNames.contains(word) else {
            throw arguments.wrong("it is \(PrintedQuery.colorNames.joined(separator: ", "))")
        }
        settings.style.color = word
    }

    private func chooseRows(_ arguments: DotArguments) throws(CommandFailure) {
        let word = try arguments.only()
        if word == "all" {
            settings.style.rowsMax = nil
            return
        }
        guard let rows = Int(word), rows >= 0 else {
            throw arguments.wrong("the rows of a table are all or a number")
        }
        settings.style.rowsMax = rows
    }

    private func choosePager(_ arguments: DotArguments) throws(CommandFailure) {
        switch arguments.text {
        case "": throw arguments.wrong()
        case "off": settings.paging = .off
        case "on":
            try checkSafe("commands of the system")
            settings.paging = .on
        default:
            try checkSafe("commands of the system")
            settings.paging = .command(arguments.text)
        }
    }

    // MARK: Where results go

    private func chooseOutput(_ arguments: DotArguments) throws(CommandFailure) {
        let word = try whole(arguments)
        let target = try target(word)
        try endOutput()
        guard target != .standard else { return }
        output = try Destination(target, pager: nil, surroundings)
        outputName = word
    }

    /// Completes the file that results went to.
    func endOutput() throws(CommandFailure) {
        guard let ending = output else { return }
        output = nil
        outputName = nil
        try ending.commit()
    }

    /// A file may be given without quotes, and so may a command behind a `|`.
    private func whole(_ arguments: DotArguments) throws(CommandFailure) -> String {
        guard arguments.count > 0 else { throw arguments.wrong() }
        if arguments.count == 1 { return arguments.words.words[0] }
        guard arguments.text.hasPrefix("|") else { throw arguments.wrong() }
        return arguments.text
    }

    private func target(_ word: String) throws(CommandFailure) -> Settings.Target {
        if word == "-" { return .standard }
        try checkSafe("other files and commands of the system")
        guard word.hasPrefix("|") else { return .file(word) }
        let command = String(word.dropFirst().drop(while: \.isWhitespace))
        guard !command.isEmpty else { throw .diagnostic(.usage("there is no command behind |")) }
        return .command(command)
    }
}
