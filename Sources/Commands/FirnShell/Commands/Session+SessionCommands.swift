import FirnEngine
import FirnFormats
import FirnPlatform
import FirnTools
import FirnValues

/// `.help`, `.open`, `.close`, `.show`, `.version`.
extension Session {
    func session(
        _ name: DotCommandName, _ arguments: DotArguments
    ) throws(CommandFailure) {
        switch name {
        case .help: try help(arguments)
        case .open: try open(arguments)
        case .close:
            try arguments.none()
            _ = try openDatabase()
            try checkNoTransaction("close the database")
            try checkUnsaved("close the database")
            try close()
        case .show: try showSettings(arguments)
        case .version:
            try arguments.none()
            try show(environment.plain(banner) + "\n")
        default: try history(arguments)
        }
    }

    private func help(_ arguments: DotArguments) throws(CommandFailure) {
        guard var topic = try arguments.onlyIfAny() else { return try showHelp(ShellHelp.overview) }
        if topic.hasPrefix(".") { topic.removeFirst() }
        if let text = ShellHelp.topic(topic) { return try showHelp(text) }
        try showHelp(try DotCommandName.find(topic, allowsPrefix: isInteractive).help)
    }

    /// Shows a help text in the width of the terminal.
    func showHelp(_ text: String) throws(CommandFailure) {
        _ = try show { destination throws(CommandFailure) in
            let inner = destination.environment
            let columns = inner.outputIsTerminal ? inner.windowSize()?.columns : nil
            try inner.print(WrappedText.wrapping(inner.plain(text), columns: columns, hanging: 0))
        }
    }

    private func open(_ arguments: DotArguments) throws(CommandFailure) {
        try checkSafe("access to other files")
        var words = arguments.words.words
        let isReadOnly = words.contains("--ro")
        words.removeAll { $0 == "--ro" }
        guard words.count == 1 else { throw arguments.wrong() }
        let lastClassName = className
        // The new database may not have the class.
        className = nil
        do throws(CommandFailure) { try open(words[0]) } catch {
            className = lastClassName
            throw error
        }
        opensReadOnly = isReadOnly || invocation.isReadOnly
        if isInteractive { report(banner) }
    }

    private func showSettings(_ arguments: DotArguments) throws(CommandFailure) {
        try arguments.none()
        let rows =
            [("database", database?.path ?? "none"), ("class", className ?? "none")]
            + settingTexts.map { ($0.name, $0.value) }
        var record = JSONObject()
        for row in rows { record.add(row.0, row.1) }
        try show(
            text: TextColumns.aligned(rows.map { [$0.0, SafeText.escaping($0.1)] }, right: []),
            json: record.text + "\n")
    }

    /// The settings, by the names of their commands.
    var settingTexts: [(name: String, value: String)] {
        let style = settings.style
        let paging: String
        switch settings.paging {
        case .on: paging = "on"
        case .off: paging = "off"
        case .command(let line): paging = line
        }
        let once: String
        switch settings.once {
        case .file(let path): once = path
        case .command(let line): once = "|\(line)"
        case .standard: once = "standard output"
        case nil: once = "none"
        }
        return [
            ("mode", style.format), ("null", style.nullText ?? "format default"),
            ("width", style.width.map { "\($0)" } ?? "auto"), ("color", style.color),
            ("rows", style.rowsMax.map { "\($0)" } ?? "all"), ("pager", paging),
            ("timezone", settings.zone ?? "UTC"),
            ("timer", settings.showsCost ? "on" : "off"),
            ("explain", settings.explains ? "on" : "off"), ("once", once),
            ("output", outputName ?? "standard output"),
        ]
    }
}
