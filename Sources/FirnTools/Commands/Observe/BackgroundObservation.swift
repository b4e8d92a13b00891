package import FirnPlatform
package import FirnValues

/// `firn observe` on a background thread of the interactive shell, with a readable line per object.
///
///     + Person 11 {"id":11,"name":"Al"}
///     ~ Person 7 {"age":42} (age was 41)
///     - Person 9
package struct BackgroundObservation: Sendable {
    private let file: String
    private let query: String
    private let className: String?
    private let arguments: [String: Value]
    private let room: LineRoom

    /// - Parameters:
    ///   - surroundings: the environment, with the window that the lines must fit.
    ///   - prefix: the text before each line.
    package init(
        file: String, query: String, className: String?, arguments: [String: Value],
        _ environment: CommandEnvironment, behind prefix: String
    ) {
        self.file = file
        self.query = query
        self.className = className
        self.arguments = arguments
        room = LineRoom(environment, behind: prefix)
    }

    /// Runs until it is stopped.
    ///
    /// - Returns: the reason, if it ended on its own.
    package func run(
        _ services: SystemServices, isStopped: @escaping () -> Bool,
        _ report: @escaping (String) -> Void
    ) -> String? {
        var environment = CommandEnvironment(
            services: services, input: MemorySource([]), output: LineSink(room, report),
            errors: MemorySink())
        environment.pendingSignal = { isStopped() ? Signals.terminate : nil }
        var options = ObserveOptions(file: file, query: [query])
        options.className = className
        options.arguments = arguments
        options.shape = .rows
        options.initial = .none
        do {
            _ = try ObserveRun(options, environment).run()
            return "ended"
        } catch {
            switch error {
            case .diagnostic(let diagnostic):
                return "ended: \(SafeText.escaping(diagnostic.message))"
            case .ended(let status): return "ended with status \(status)"
            case .interrupted: return nil
            }
        }
    }
}

/// The maximum length of a line.
private struct LineRoom: Sendable {
    /// In narrower windows, lines are left to wrap.
    private static let columnsMin = 20
    private static let objectCharactersMax = 100

    /// `nil` if there is no window.
    private let columns: Int?
    private let mark: StaticString

    init(_ environment: CommandEnvironment, behind prefix: String) {
        let width = TerminalStyle.width(
            nil, isTerminal: environment.outputIsTerminal, environment)
        columns = width.map {
            max(LineRoom.columnsMin, $0 - DisplayWidth.columns(of: prefix))
        }
        var options = TableOptions()
        options.drawsUnicode = TerminalStyle.usesUnicode(environment)
        mark = options.ellipsis
    }

    /// The maximum number of visible characters of an object.
    var characters: Int { columns ?? LineRoom.objectCharactersMax }

    func cut(_ line: String) -> String {
        guard let columns else { return line }
        var cell = CellText()
        cell.take(line)
        cell.shorten(to: columns, mark: mark)
        return cell.text
    }
}

/// Converts lines for programs to lines for people.
private final class LineSink: ByteSink {
    private let room: LineRoom
    private let report: (String) -> Void
    private var rest: [UInt8] = []

    init(_ room: LineRoom, _ report: @escaping (String) -> Void) {
        self.room = room
        self.report = report
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) {
        rest.append(contentsOf: bytes)
        var start = rest.startIndex
        while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
            if let line = text(Array(rest[start..<end])) { report(room.cut(line)) }
            start = end + 1
        }
        rest.removeSubrange(..<start)
    }

    private func text(_ line: [UInt8]) -> String? {
        guard var reader = try? JSONReader(MemorySource(line)),
            case .value(let record, _)? = try? reader.next()
        else { return nil }
        guard let operation = LineSink.string(record["op"]) else {
            return LineSink.string(record["type"]) == "reset" ? "started again" : nil
        }
        let name = LineSink.string(record["class"]) ?? ""
        let object = "\(SafeText.escaping(name)) \(shown(record["id"]))"
        switch operation {
        case "delete": return "- \(object)"
        case "insert": return "+ \(object) \(shown(record["object"]))"
        default:
            return "~ \(object) \(shown(record["object"])), before \(shown(record["before"]))"
        }
    }

    private static func string(_ tree: JSONTree?) -> String? {
        if case .string(let text) = tree?.content { text } else { nil }
    }

    private func shown(_ tree: JSONTree?) -> String {
        guard let tree else { return "" }
        var buffer = TextBuffer()
        buffer.append(json: tree)
        return SafeText.excerpt(of: buffer.bytes, characters: room.characters)
    }
}
