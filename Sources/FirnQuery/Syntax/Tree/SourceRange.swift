/// Where something stands in its text, as UTF-8 offsets.
///
/// All places are equal: two trees are equal when they say the same, wherever that stands.
package struct SourceRange: Hashable, Sendable {
    package let bytes: Range<Int>

    package init(_ bytes: Range<Int>) { self.bytes = bytes }

    /// From the start of this to the end of the other.
    package func to(_ other: SourceRange) -> SourceRange {
        let lower = min(bytes.lowerBound, other.bytes.lowerBound)
        return SourceRange(lower..<max(bytes.upperBound, other.bytes.upperBound))
    }

    package static func == (left: SourceRange, right: SourceRange) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}
