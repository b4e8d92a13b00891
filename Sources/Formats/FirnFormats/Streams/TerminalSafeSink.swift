package import FirnPlatform
import FirnText
import FirnValues

/// Escapes characters that could harm a terminal: control characters and bidirectional marks inside
/// data become `\u001b`, which is also their JSON form.
///
/// Line feeds and tabs pass. The writer must pass complete characters.
package final class TerminalSafeSink: ByteSink {
    private let sink: any ByteSink

    package init(_ sink: any ByteSink) { self.sink = sink }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) {
        guard TerminalSafeSink.mayHarm(bytes) else { return try sink.write(bytes) }
        var safe = TextBuffer(capacity: bytes.count + bytes.count / 8)
        safe.append(string: TerminalSafeSink.escaping(String(decoding: bytes, as: UTF8.self)))
        try sink.write(safe.bytes)
    }

    /// Returns the text with an escape for each character that a terminal would not show.
    package static func escaping(_ text: String) -> String {
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

    /// Returns whether there is anything but printable ASCII.
    package static func mayHarm(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var found: UInt8 = 0
        for byte in bytes {
            // Without a branch, so that the compiler can vectorize the loop.
            found |= byte < 0x20 && byte != 0x0A && byte != 0x09 ? 1 : 0
            found |= byte >= 0x7F ? 1 : 0
        }
        return found != 0
    }
}
