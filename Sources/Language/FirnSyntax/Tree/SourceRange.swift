import FirnValues

/// The location of a syntax element in its text, as UTF-8 offsets.
///
/// All ranges compare as equal, so that two trees are equal if they have the same meaning, wherever
/// their elements are in the text.
package struct SourceRange: Hashable, Sendable {
    package let bytes: Range<Int>

    package init(_ bytes: Range<Int>) { self.bytes = bytes }

    /// Returns the range from the start of this one to the end of another.
    package func to(_ other: SourceRange) -> SourceRange {
        let lower = min(bytes.lowerBound, other.bytes.lowerBound)
        return SourceRange(lower..<max(bytes.upperBound, other.bytes.upperBound))
    }

    package static func == (left: SourceRange, right: SourceRange) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}
