import FirnText
import FirnValues

/// Adds members at the start of each object of a stream or of an array.
package struct ObjectColumnInsertion {
    /// The members, without braces.
    private let members: [UInt8]
    private var depth = 0
    private var isArray = false
    private var isInText = false
    private var isEscaped = false
    /// Whether an object has begun whose first byte has not been seen.
    private var isAtStart = false

    package init(_ columns: [FolderColumn]) {
        var buffer = TextBuffer(capacity: 256)
        buffer.append(
            json: JSONTree(
                .object(columns.map(\.json)), at: TextPosition(offset: 0, line: 1)))
        members = Array(buffer.bytes.dropFirst().dropLast())
    }

    mutating func add(_ byte: UInt8, to text: inout [UInt8]) {
        if isAtStart, byte > 0x20 {
            isAtStart = false
            text += members
            if byte != UInt8(ascii: "}") { text.append(UInt8(ascii: ",")) }
        }
        text.append(byte)
        if isInText {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInText = false
            }
            return
        }
        switch byte {
        case UInt8(ascii: "\""): isInText = true
        case UInt8(ascii: "["):
            if depth == 0 { isArray = true }
            depth += 1
        case UInt8(ascii: "{"):
            isAtStart = depth == 0 || (depth == 1 && isArray)
            if depth == 0 { isArray = false }
            depth += 1
        case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
        default: break
        }
    }
}
