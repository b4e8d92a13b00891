import FirnValues

/// A JSON object whose values are single values and whose texts have no escapes, as bytes in the
/// buffer of its reader.
///
/// It is valid until the reader reads more, and its memory is used again for the next object.
package struct FlatObject {
    package enum Kind {
        case null
        case bool
        /// A number according to RFC 8259.
        case number
        /// A text in valid UTF-8.
        case string
    }

    package struct Member {
        package let name: UnsafeBufferPointer<UInt8>
        let kind: Kind
        /// The text of the value without its quotes.
        package let text: UnsafeBufferPointer<UInt8>
        /// The line of the value.
        let line: UInt64
    }

    package var members: [Member] = []
    var position = TextPosition(offset: 0, line: 1)

    /// Whether a text is the same as another.
    @inline(__always)
    static func equals(
        _ text: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard text.count == other.count else { return false }
        for index in 0..<text.count where text[index] != other[index] { return false }
        return true
    }
}
