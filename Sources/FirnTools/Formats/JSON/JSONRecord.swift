/// What a reader of JSON yields, one after the other.
package enum JSONRecord: Sendable {
    /// The schema document at the beginning: what stands behind the first `"$schema":`.
    case schema(JSONTree)
    /// A value of a stream or of a top-level array; or of the array of a class in a document.
    case value(JSONTree, className: String?)
}

/// How much of a JSON text is accepted before a reader gives up, so that hostile input cannot take
/// all memory.
package struct JSONLimits: Sendable {
    /// The longest text of a record.
    package var recordBytesMax = 64 << 20
    /// The most values of one record, which bounds the memory of its tree: the shortest text of a
    /// value takes two bytes, its node forty.
    package var recordValuesMax = 4 << 20
    /// How many arrays and objects may stand in each other.
    ///
    /// An Any goes to 128, and stands inside of a record, embedded objects and tags.
    package var depthMax = 192
    /// No number needs more digits: 767 decide about any double.
    package var numberBytesMax = 4096
    /// How much is asked of the source at once.
    package var chunkBytes = 1 << 20

    package init() {}
}
