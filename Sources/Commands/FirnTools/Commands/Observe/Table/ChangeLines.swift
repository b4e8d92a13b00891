import FirnEngine
import FirnFormats
import FirnPlatform
import FirnText
import FirnValues

/// Converts the lines of a stream for programs to lines for people, one per object.
///
///     + Person 11 {"id":11,"name":"Al"}
///     ~ Person 7 age 41 → 42
///     - Person 9
struct ChangeLines: Sendable {
    /// The minimum width of a window; in narrower ones, lines are left to wrap.
    private static let columnsMin = 20
    private static let objectCharactersMax = 100

    /// The maximum width of a line; `nil` if there is no window.
    private let columns: Int?
    private let options: TableOptions

    /// - Parameters:
    ///   - environment: the environment, with the window that the lines must fit.
    ///   - prefix: the text before each line.
    init(_ environment: CommandEnvironment, behind prefix: String = "") {
        let width = TerminalStyle.width(
            nil, isTerminal: environment.outputIsTerminal, environment)
        columns = width.map {
            max(ChangeLines.columnsMin, $0 - DisplayWidth.columns(of: prefix))
        }
        var options = TableOptions()
        options.drawsUnicode = environment.drawsUnicode
        self.options = options
    }

    /// Returns the record of a line; `nil` for a line that is not JSON.
    static func record(_ line: some Sequence<UInt8>) -> JSONTree? {
        guard var reader = try? JSONReader(MemorySource(Array(line))),
            case .value(let record, _)? = try? reader.next()
        else { return nil }
        return record
    }

    /// Returns the line for the change to an object; `nil` for any other record.
    func text(_ record: JSONTree) -> String? {
        guard let operation = ChangeLines.string(record["op"]) else { return nil }
        let name = SafeText.escaping(ChangeLines.string(record["class"]) ?? "")
        // Rows of values have no class.
        let object = (name.isEmpty ? "" : name + " ") + shown(record["id"])
        switch operation {
        case "delete": return "- \(object)"
        case "insert": return "+ \(object) \(shown(record["object"]))"
        default: return "~ \(object) \(changes(record))"
        }
    }

    /// Returns the author and the note of the commit of a line.
    static func annotation(_ record: JSONTree) -> [String] {
        Annotation.parts(
            author: string(record["author"]) ?? "", note: string(record["note"]) ?? "")
    }

    /// Returns the changed values, such as `age 41 → 42, city "Oslo" → null`.
    private func changes(_ record: JSONTree) -> String {
        guard case .object(let members)? = record["before"]?.content else { return "" }
        let arrow = options.drawsUnicode ? "→" : "->"
        return members.map { member in
            let new = shown(record["object"]?[member.name])
            return "\(SafeText.escaping(member.name)) \(shown(member.value)) \(arrow) \(new)"
        }.joined(separator: ", ")
    }

    /// Returns a line truncated to the width of the window.
    func cut(_ line: String) -> String {
        guard let columns else { return line }
        var cell = CellText()
        cell.take(line)
        cell.shorten(to: columns, mark: options.ellipsis)
        return cell.text
    }

    static func string(_ tree: JSONTree?) -> String? {
        if case .string(let text) = tree?.content { text } else { nil }
    }

    static func number(_ tree: JSONTree?) -> UInt64? {
        if case .number(let text) = tree?.content { UInt64(text) } else { nil }
    }

    private func shown(_ tree: JSONTree?) -> String {
        guard let tree else { return "" }
        var buffer = TextBuffer()
        buffer.append(json: tree)
        return SafeText.excerpt(
            of: buffer.bytes, characters: columns ?? ChangeLines.objectCharactersMax)
    }
}

/// Splits bytes into lines.
struct LineSplitter {
    private var rest: [UInt8] = []

    /// Returns the lines that end in the bytes.
    mutating func lines(endingIn bytes: UnsafeRawBufferPointer) -> [ArraySlice<UInt8>] {
        rest.append(contentsOf: bytes)
        var lines: [ArraySlice<UInt8>] = []
        var start = rest.startIndex
        while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
            lines.append(rest[start..<end])
            start = end + 1
        }
        rest.removeSubrange(..<start)
        return lines
    }
}
