import FirnFormats
import FirnPlatform
import FirnText
import FirnValues

/// The changes to all classes as lines for people, until a key ends them.
///
///     people.firn: 3 objects, version 1; q ends
///     v2 ~ Person 7 age 41 → 42  by Bo  "fix the ages"
final class ChangeLog: ByteSink {
    private let screen: any ByteSink
    private let file: String
    private let lines: ChangeLines
    private let environment: CommandEnvironment
    private let keys: TerminalKeys?
    private var keyReader = TableKeyReader()
    private var splitter = LineSplitter()

    init(_ file: String, _ environment: CommandEnvironment) {
        screen = environment.output
        self.file = SafeText.escaping(file)
        self.environment = environment
        lines = ChangeLines(environment)
        keys = environment.takeKeys()
    }

    /// Whether the key that ends the lines was pressed.
    var isQuit: Bool { keyReader.keys(in: keys?.pressed() ?? []).contains(.quit) }

    /// Whether there is a key to read.
    var isWaiting: Bool { keys?.hasPressed ?? false }

    /// Restores the terminal.
    func end() { keys?.restore() }

    /// - Parameter bytes: lines of the stream for programs.
    func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) {
        var text = ""
        for line in splitter.lines(endingIn: bytes) {
            guard let record = ChangeLines.record(line), let shown = shown(record) else { continue }
            text += lines.cut(environment.plain(shown)) + "\n"
        }
        let result = text.withUTF8 { utf8 in
            Result { () throws(PlatformError) in try screen.write(UnsafeRawBufferPointer(utf8)) }
        }
        try result.get()
    }

    private func shown(_ record: JSONTree) -> String? {
        let version = ChangeLines.number(record["version"]) ?? 0
        if let change = lines.text(record) {
            return (["v\(version) \(change)"] + ChangeLines.annotation(record))
                .joined(separator: "  ")
        }
        switch ChangeLines.string(record["type"]) {
        case "initial", "resume":
            let objects = Formatting.count(ChangeLines.number(record["count"]) ?? 0, "object")
            let key = keys == nil ? "Ctrl-C" : "q"
            return "\(file): \(objects), version \(version); \(key) ends"
        case "reset": return reset(ChangeLines.string(record["reason"]), version)
        case "end":
            return ChangeLines.string(record["reason"]).flatMap { StreamEnd(rawValue: $0) }
                .flatMap { LiveTable.farewell($0) }
        default: return nil
        }
    }

    private func reset(_ reason: String?, _ version: UInt64) -> String {
        let cause =
            switch reason.flatMap({ StreamReset(rawValue: $0) }) {
            case .schemaChanged: "the classes have changed"
            case .replaced: "another file replaced the database"
            case .historyGone, .lag, nil: "some changes are no longer kept"
            }
        return "\(cause); version \(version) follows"
    }
}
