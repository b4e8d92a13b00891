package import FirnPlatform
import FirnValues

/// Keeps what could harm a terminal from it: control characters and marks of direction inside of
/// data become `\u001b`, which is also what JSON calls them.
///
/// Line feeds and tabs pass. Whoever writes hands on whole characters.
package final class TerminalSafeSink: ByteSink {
    private let sink: any ByteSink

    package init(_ sink: any ByteSink) { self.sink = sink }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) {
        guard TerminalSafeSink.mayHarm(bytes) else { return try sink.write(bytes) }
        var safe = TextBuffer(capacity: bytes.count + bytes.count / 8)
        safe.append(string: TerminalSafeSink.escaping(String(decoding: bytes, as: UTF8.self)))
        try sink.write(safe.bytes)
    }

    /// The text with an escape in place of each character that a terminal would not show.
    static func escaping(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar == "\n" || scalar == "\t" || !SafeText.isHarmful(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return result
    }

    /// Whether there is anything but ASCII that shows.
    static func mayHarm(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var found: UInt8 = 0
        for byte in bytes {
            // Without a branch, so that the compiler can look at many bytes at once.
            found |= byte < 0x20 && byte != 0x0A && byte != 0x09 ? 1 : 0
            found |= byte >= 0x7F ? 1 : 0
        }
        return found != 0
    }
}
