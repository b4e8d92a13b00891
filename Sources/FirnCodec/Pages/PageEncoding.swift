/// How a page keeps its values; the numbers are part of the file format and never reused.
///
/// Reserved: 9 run lengths, 10 nested pages, 11 columns per tag.
package enum PageEncoding: UInt8, Sendable, CaseIterable {
    /// Every value that is not null is the same, or all are null.
    case constant = 1
    /// Bool, Int, whole-second Date: `base + step * code`, codes bit-packed.
    case packed = 2
    /// Sorted distinct strings, or other bytes, and bit-packed codes into them.
    case dictionary = 3
    /// Strings, or other bytes, one behind the other.
    case heap = 4
    /// Bit patterns as they are: 8 bytes of a Double, 4 of a Float.
    case fixed = 5
    /// Numbers that are integers divided by a power of ten (for Float, rounded to one), the
    /// integers packed.
    case decimal = 6
    /// Date with nanoseconds: two packed streams.
    case pairs = 7
    /// Ascending `packed` values, of which the differences of codes are packed.
    case ascending = 8
}
