import FirnFormats
import FirnPlatform
import FirnText
import FirnTools
import FirnValues

/// The lines of standard input or of a file, without prompts.
final class StreamLines: LineInput {
    /// The maximum length of a line; a longer one is an error, because it would only fill the
    /// memory.
    private static let lineBytesMax = 16 << 20

    let isInteractive = false
    let notices: NotificationQueue
    /// The name of the source in errors.
    let name: String
    /// The last returned line, counted from 1.
    private(set) var lineNumber: UInt64 = 0
    private let source: any ByteSource
    private let pendingSignal: () -> Int32?
    private var bytes: [UInt8] = []
    /// The start of the next line.
    private var position = 0
    private var hasEnded = false

    init(
        _ source: any ByteSource, notices: NotificationQueue,
        pendingSignal: @escaping () -> Int32? = { nil }
    ) {
        self.source = source
        self.notices = notices
        self.pendingSignal = pendingSignal
        name = source.name
    }

    func next(prompt: String, before: String) throws(CommandFailure) -> LineEvent {
        var searched = position
        while true {
            if let signal = pendingSignal() { return .signal(signal) }
            if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                return .line(try take(to: end, next: end + 1))
            }
            if hasEnded {
                return position == bytes.count
                    ? .end : .line(try take(to: bytes.count, next: bytes.count))
            }
            searched = bytes.count - position
            bytes.removeFirst(position)
            position = 0
            guard bytes.count <= StreamLines.lineBytesMax else {
                throw .diagnostic(
                    Diagnostic(
                        .inputLimit,
                        "\(name):\(lineNumber + 1): the line is longer than "
                            + Formatting.bytes(UInt64(StreamLines.lineBytesMax))))
            }
            try read()
        }
    }

    private func take(to end: Int, next: Int) throws(CommandFailure) -> String {
        lineNumber += 1
        var line = bytes[position..<end]
        position = next
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        guard let text = String(validating: line, as: UTF8.self) else {
            throw .diagnostic(
                Diagnostic(.inputEncoding, "\(name):\(lineNumber): the line is not UTF-8"))
        }
        return text
    }

    private func read() throws(CommandFailure) {
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        let result = piece.withUnsafeMutableBytes { buffer in
            Result { () throws(PlatformError) in try source.read(into: buffer) }
        }
        do throws(PlatformError) {
            let count = try result.get()
            hasEnded = count == 0
            bytes.append(contentsOf: piece.prefix(count))
        } catch {
            // The caller's loop returns the signal.
            if error.code == .interrupted, pendingSignal() != nil { return }
            throw .diagnostic(Diagnostic(error, "cannot read \(name)"))
        }
    }
}
