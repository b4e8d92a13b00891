/// A part of the keys by which rows are compared: the stored codes of a key, or later parts of its
/// texts.
///
///     text       Łukas|z Willi|ams 999|9          of 7 bytes each, in the code of depth 0, 1, 2, 3
///
/// Only rows with equal codes are compared by the next level.
struct SortLevel {
    /// The depth after which texts are compared as a whole, because few of them are equal up to
    /// there.
    static let depthMax = 8

    /// The number of the key.
    var column = 0
    /// The number of earlier codes of the same key.
    var depth = 0
}
