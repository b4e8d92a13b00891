import CReadline
import FirnPlatform
import FirnQuery
import FirnValues

/// Finds candidates, given the lines of the unfinished statement, the line, and the position of the
/// cursor in the line in UTF-8.
typealias Completions = (_ before: String, _ line: String, _ cursor: Int) -> Completion

/// The callbacks of readline: C functions refer to an object only by its address.
final class ReadlineBridge {
    private let completions: Completions
    private let help: (String) -> String?
    private let report: (String) -> Void
    /// The lines of the unfinished statement.
    var before = ""
    /// The last completion, to be listed.
    private var completion = Completion(start: 0, candidates: [])

    init(
        _ completions: @escaping Completions, _ help: @escaping (String) -> String?,
        _ report: @escaping (String) -> Void
    ) {
        self.completions = completions
        self.help = help
        self.report = report
    }

    func start() {
        // readline can call back until the process ends.
        let context = Unmanaged.passRetained(self).toOpaque()
        firn_readline_start(
            { context, line, cursor in
                guard let bridge = ReadlineBridge.from(context), let line else { return }
                bridge.complete(String(cString: line), cursor)
            },
            { context, numbers, count in
                guard let bridge = ReadlineBridge.from(context), let numbers else { return }
                bridge.list(UnsafeBufferPointer(start: numbers, count: count).map { $0 })
            }, context)
    }

    /// Returns the description of the word at the cursor.
    func helpAtCursor() -> String? {
        let bytes = Array(String(cString: firn_readline_buffer()).utf8)
        var start = min(firn_readline_cursor(), bytes.count)
        var end = start
        while start > 0, ReadlineBridge.isWordPart(bytes[start - 1]) { start -= 1 }
        while end < bytes.count, ReadlineBridge.isWordPart(bytes[end]) { end += 1 }
        guard start < end else { return help("") }
        return help(String(decoding: bytes[start..<end], as: UTF8.self))
    }

    private static func isWordPart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "@"), UInt8(ascii: "_"), 0x80...: true
        default: (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
        }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> ReadlineBridge? {
        context.map { Unmanaged<ReadlineBridge>.fromOpaque($0).takeUnretainedValue() }
    }

    private func complete(_ line: String, _ cursor: Int) {
        completion = completions(before, line, cursor)
        for candidate in completion.candidates {
            firn_readline_add(
                completion.start, candidate.text,
                CChar(bitPattern: candidate.append?.asciiValue ?? 0))
        }
    }

    /// Shows the candidates with their types.
    private func list(_ numbers: [Int]) {
        let chosen = numbers.compactMap { number in
            completion.candidates.indices.contains(number) ? completion.candidates[number] : nil
        }
        let listing = CandidateListing(
            columns: StandardStream.error.windowColumns ?? 80,
            rows: StandardStream.error.windowRows ?? 24)
        report(listing.text(chosen))
    }
}
