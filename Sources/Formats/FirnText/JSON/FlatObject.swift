import FirnValues

/// A JSON object whose values are single values and whose texts have no escapes, as bytes in the
/// buffer of its reader.
///
/// It is valid until the reader reads more, and its memory is used again for the next object.
///
/// It is public because the compiler inlines no package function into another module.
public struct FlatObject {
    /// The kinds of single values.
    public enum Kind {
        case null
        case bool
        /// A number according to RFC 8259.
        case number
        /// A text in valid UTF-8.
        case string
    }

    /// A member of the object.
    public struct Member {
        /// The name without its quotes.
        public let name: UnsafeBufferPointer<UInt8>
        /// The kind of the value.
        public let kind: Kind
        /// The text of the value without its quotes.
        public let text: UnsafeBufferPointer<UInt8>
        /// The line of the value.
        public let line: UInt64
    }

    /// The members, in the order of the text.
    public var members: [Member] = []
    /// The position of the opening brace.
    public var position = TextPosition.start

    /// Creates an object without members.
    @inlinable
    public init() {}

    /// Whether a text is the same as another.
    @inlinable @inline(__always)
    public static func equals(
        _ text: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard text.count == other.count else { return false }
        for index in 0..<text.count where text[index] != other[index] { return false }
        return true
    }
}
