import FirnValues

/// A position in a text input.
package struct TextPosition: Hashable, Sendable {
    /// The offset in bytes, counted from 0.
    package let offset: UInt64
    /// The line, counted from 1.
    package let line: UInt64

    package init(offset: UInt64, line: UInt64) {
        self.offset = offset
        self.line = line
    }

    /// The beginning of an input.
    package static let start = TextPosition(offset: 0, line: 1)
}
