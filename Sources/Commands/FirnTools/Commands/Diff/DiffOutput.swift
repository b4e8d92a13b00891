import FirnEngine
import FirnFormats
import FirnPlatform
import FirnText
import FirnValues

/// Prints differences: as text, or as the lines of `observe --shape rows`.
final class DiffOutput {
    private let format: RecordFormat.Resolved?
    private let environment: CommandEnvironment
    private let version: LSN
    private let progress: Progress
    private let sink: BufferedSink
    /// The previous line, which is held back because only the last line ends the commit.
    private var pending: String?
    private var isFirst = true

    /// - Parameter format: `nil` to print nothing.
    init(
        _ format: RecordFormat.Resolved?, _ environment: CommandEnvironment, version: LSN,
        _ progress: Progress
    ) {
        self.format = format
        self.progress = progress
        self.environment = environment
        self.version = version
        sink = BufferedSink(environment.dataOutput)
    }

    func deleted(
        _ row: RowID, _ name: String, _ images: ObjectImages
    ) throws(CommandFailure) {
        guard let format else { return }
        let before = DiffOutput.object(row, images)
        if format == .text { return try line("- \(title(row, name, images))  \(before)") }
        try record("delete", row, name, images, ",\"before\":\(before),\"reason\":\"deleted\"")
    }

    func inserted(
        _ row: RowID, _ name: String, _ images: ObjectImages
    ) throws(CommandFailure) {
        guard let format else { return }
        let object = DiffOutput.object(row, images)
        if format == .text { return try line("+ \(title(row, name, images))  \(object)") }
        try record("insert", row, name, images, ",\"object\":\(object),\"reason\":\"added\"")
    }

    func updated(
        _ pair: ObjectPairing.Pair, _ name: String, _ changed: [Int],
        _ difference: ImageDifference
    ) throws(CommandFailure) {
        guard let format else { return }
        let columns = difference.shape.columns
        guard format != .text else {
            let arrow = environment.drawsUnicode ? "→" : "->"
            let values = changed.map { column in
                "\(columns[column].name): \(difference.before(pair.old, column))"
                    + " \(arrow) \(difference.after(pair.new, column))"
            }
            return try line(
                "~ \(title(pair.new, name, difference.new))  \(values.joined(separator: ", "))")
        }
        let names = changed.map { DiffOutput.string(columns[$0].name) }
        let before = changed.map { column in
            DiffOutput.string(columns[column].name) + ":" + difference.before(pair.old, column)
        }
        try record(
            "update", pair.new, name, difference.new,
            ",\"changed\":[\(names.joined(separator: ","))]"
                + ",\"object\":\(DiffOutput.object(pair.new, difference.new))"
                + ",\"before\":{\(before.joined(separator: ","))}")
    }

    func finish() throws(CommandFailure) {
        guard let format else { return }
        if let last = pending { try write(last + ",\"commit\":true}") }
        if format == .json { append(isFirst ? "[]\n" : "\n]\n") }
        if format == .ndjson, !isFirst { append("\n") }
        do { try sink.flush() } catch { throw failure(error) }
    }

    // MARK: Lines

    private func title(_ row: RowID, _ name: String, _ images: ObjectImages) -> String {
        var text = TextBuffer(capacity: 64)
        images.appendID(of: row, to: &text)
        return "\(name) \(String(decoding: text.bytes, as: UTF8.self))"
    }

    private func line(_ text: String) throws(CommandFailure) {
        append(SafeText.escaping(text) + "\n")
        try flushIfFull()
    }

    private func record(
        _ verb: String, _ row: RowID, _ name: String, _ images: ObjectImages, _ rest: String
    ) throws(CommandFailure) {
        if let pending { try write(pending + "}") }
        var text = TextBuffer(capacity: 256)
        text.append(
            string: "{\"v\":1,\"op\":\"\(verb)\",\"version\":\(version.rawValue),\"class\":")
        text.append(jsonString: name)
        text.append(",\"id\":")
        images.appendID(of: row, to: &text)
        text.append(string: rest)
        pending = String(decoding: text.bytes, as: UTF8.self)
    }

    /// Writes a record after a separator.
    private func write(_ record: String) throws(CommandFailure) {
        switch format {
        case .json: append(isFirst ? "[\n" : ",\n")
        default: if !isFirst { append("\n") }
        }
        isFirst = false
        append(record)
        try flushIfFull()
    }

    private func append(_ text: String) {
        if environment.outputIsTerminal { progress.end() }
        sink.buffer.append(string: text)
    }

    private func flushIfFull() throws(CommandFailure) {
        do { try sink.flushIfFull() } catch { throw failure(error) }
    }

    private func failure(_ error: PlatformError) -> CommandFailure {
        CommandFailure(writing: "standard output", error)
    }

    private static func object(_ row: RowID, _ images: ObjectImages) -> String {
        var text = TextBuffer(capacity: 256)
        images.append(row, to: &text)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    private static func string(_ text: String) -> String {
        var buffer = TextBuffer(capacity: text.utf8.count + 16)
        buffer.append(jsonString: text)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }
}
