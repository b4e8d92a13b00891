import FirnEngine
import FirnFormats
import FirnTools
import FirnValues

/// `.mode`, `.null`, `.width`, `.color`, `.rows`, `.pager`, `.timezone`, `.timer`, `.once`,
/// `.output`, `.explain`.
extension Session {
    func setting(
        _ name: DotCommandName, _ arguments: DotArguments
    ) throws(CommandFailure) {
        switch name {
        case .output: return try chooseOutput(arguments)
        case .timer: return try toggle(\.showsCost, arguments)
        case .explain: return try toggle(\.explains, arguments)
        default: break
        }
        guard arguments.count > 0 else { return reportSetting(name) }
        switch name {
        case .mode: try chooseFormat(arguments)
        case .null: settings.style.nullText = arguments.word(0) ?? ""
        case .width: try chooseWidth(arguments)
        case .color: try chooseColor(arguments)
        case .rows: try chooseRows(arguments)
        case .pager: try choosePager(arguments)
        case .timezone: try chooseZone(arguments)
        default: try chooseOnce(arguments)
        }
    }

    /// Shows the value of a setting.
    func reportSetting(_ name: DotCommandName) {
        guard let value = settingTexts.first(where: { $0.name == name.rawValue })?.value else {
            return
        }
        report("\(name) \(SafeText.escaping(value))")
    }

    /// Turns a setting on or off; without a word, toggles it and shows the new value.
    private func toggle(
        _ setting: WritableKeyPath<Settings, Bool>, _ arguments: DotArguments
    ) throws(CommandFailure) {
        settings[keyPath: setting] = try arguments.switched(settings[keyPath: setting])
        if arguments.count == 0 { reportSetting(arguments.command) }
    }

    private func chooseFormat(_ arguments: DotArguments) throws(CommandFailure) {
        let format = try arguments.only()
        guard PrintedQuery.formatNames.contains(format) else {
            throw .diagnostic(Session.unknownFormat(format))
        }
        settings.style.format = format
        if let database { modes?.set(format, of: database.location) }
    }

    private func chooseWidth(_ arguments: DotArguments) throws(CommandFailure) {
        let word = try arguments.only()
        if word == "auto" {
            settings.style.width = nil
            return
        }
        guard let width = Int(word), width > 0 else {
            throw arguments.wrong("a width is auto or a number of at least 1")
        }
        settings.style.width = width
    }

    private func chooseColor(_ arguments: DotArguments) throws(CommandFailure) {
        let word = try arguments.only()
        guard PrintedQuery.colorNames.contains(word) else {
            throw arguments.wrong("expected \(PrintedQuery.colorNames.joined(separator: ", "))")
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
            throw arguments.wrong("expected all or a number of rows")
        }
        settings.style.rowsMax = rows
    }

    private func chooseZone(_ arguments: DotArguments) throws(CommandFailure) {
        let zone = try arguments.only()
        if let mistake = ParameterOptions.mistake(inZone: zone) { throw arguments.wrong(mistake) }
        settings.zone = zone == "UTC" ? nil : zone
    }

    private func choosePager(_ arguments: DotArguments) throws(CommandFailure) {
        switch arguments.text {
        case "": throw arguments.wrong()
        case "off": settings.paging = .off
        case "on":
            try checkSafe("shell commands")
            settings.paging = .on
        default:
            try checkSafe("shell commands")
            settings.paging = .command(arguments.text)
        }
    }

    // MARK: Output

    private func chooseOnce(_ arguments: DotArguments) throws(CommandFailure) {
        let target = try target(try whole(arguments))
        try checkFormat(of: target)
        settings.once = target
    }

    /// Sets the output; without a word, results go to the screen again.
    private func chooseOutput(_ arguments: DotArguments) throws(CommandFailure) {
        let word = arguments.count == 0 ? "-" : try whole(arguments)
        let target = try target(word)
        try checkFormat(of: target)
        // If the new file cannot be created, the previous output remains in use. A command may read
        // the previous output.
        var next: Destination?
        if case .file = target { next = try Destination(target, pager: nil, environment) }
        do throws(CommandFailure) { try endOutput() } catch {
            next?.abandon()
            throw error
        }
        if case .command = target { next = try Destination(target, pager: nil, environment) }
        output = next
        outputName = next == nil ? nil : word
    }

    /// Compares the suffix of a file with the current format.
    private func checkFormat(of target: Settings.Target) throws(CommandFailure) {
        guard case .file(let path) = target else { return }
        let format = settings.style.format
        guard format != "auto" else { return try PrintedQuery.checkSuffix(of: path, environment) }
        guard PrintedQuery.promisesOther(path, than: format) else { return }
        report(
            "\(SafeText.escaping(path)) is written as \(format) because of .mode; "
                + ".mode auto goes by the file name")
    }

    /// Completes the output file.
    func endOutput() throws(CommandFailure) {
        guard let ending = output else { return }
        output = nil
        outputName = nil
        try ending.commit()
    }

    /// Returns the whole argument: a file can be given without quotes, and so can a command after a
    /// `|`.
    private func whole(_ arguments: DotArguments) throws(CommandFailure) -> String {
        guard arguments.count > 0 else { throw arguments.wrong() }
        if arguments.count == 1 { return arguments.words.words[0] }
        guard arguments.text.hasPrefix("|") else { throw arguments.wrong() }
        return arguments.text
    }

    private func target(_ word: String) throws(CommandFailure) -> Settings.Target {
        if word == "-" { return .standard }
        try checkSafe("access to other files and shell commands")
        guard word.hasPrefix("|") else { return .file(word) }
        let command = String(word.dropFirst().drop(while: \.isWhitespace))
        guard !command.isEmpty else { throw .diagnostic(.usage("there is no command after |")) }
        return .command(command)
    }
}
