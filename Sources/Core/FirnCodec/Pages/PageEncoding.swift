/// The encoding of the values of a page.
///
/// The numbers are part of the file format and never reused. Reserved: 9 run lengths, 10 nested
/// pages, 11 columns per tag.
package enum PageEncoding: UInt8, Sendable, CaseIterable {
    /// All values that are not null are the same, or all are null.
    case constant = 1
    /// Bool, Int, Date in whole seconds: `base + step * code` with bit-packed codes.
    case packed = 2
    /// Sorted distinct strings, or other bytes, and bit-packed codes into them.
    case dictionary = 3
    /// Strings, or other bytes, stored contiguously.
    case heap = 4
    /// Unchanged bit patterns: 8 bytes of a Double, 4 of a Float.
    case fixed = 5
    /// Numbers that are integers divided by a power of ten (for Float, rounded to one).
    ///
    /// The integers are packed.
    case decimal = 6
    /// Date with nanoseconds: two packed streams.
    case pairs = 7
    /// Ascending `packed` values with bit-packed differences of codes.
    case ascending = 8
}
