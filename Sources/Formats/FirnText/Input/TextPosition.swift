import FirnValues

/// A position in a text input.
public struct TextPosition: Hashable, Sendable {
    /// The offset in bytes, counted from 0.
    public let offset: UInt64
    /// The line, counted from 1.
    public let line: UInt64

    /// Creates a position.
    public init(offset: UInt64, line: UInt64) {
        self.offset = offset
        self.line = line
    }

    /// The beginning of an input.
    public static let start = TextPosition(offset: 0, line: 1)
}
