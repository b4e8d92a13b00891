/// An item of a JSON reader.
package enum JSONRecord: Sendable {
    /// The schema document at the start: the value of the first `"$schema":`.
    case schema(JSONTree)
    /// A value of a stream, of a top-level array, or of the array of a class in a document.
    case value(JSONTree, className: String?)
}

/// The limits of a JSON reader, which prevent hostile input from exhausting the memory.
package struct JSONLimits: Sendable {
    /// The maximum size of the text of a record.
    package var recordBytesMax = 64 << 20
    /// The maximum number of values of one record, which bounds the memory of its tree: a value
    /// takes at least two bytes of text, and its node takes forty.
    package var recordValuesMax = 4 << 20
    /// The maximum nesting depth of arrays and objects.
    ///
    /// An Any can be nested 128 levels deep, inside a record, embedded objects and tags.
    package var depthMax = 192
    /// No number needs more digits: 767 digits determine any double.
    package var numberBytesMax = 4096
    /// The number of bytes requested from the source at once.
    package var chunkBytes = 1 << 20

    package init() {}
}
