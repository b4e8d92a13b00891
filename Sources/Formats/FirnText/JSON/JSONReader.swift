import FirnPlatform
import FirnValues

/// Reads the records of a JSON text (RFC 8259, strictly) one after another.
///
///     {...}\n{...}                                   NDJSON, or values that follow each other
///     [{...},{...}]                                  one array of records
///     {"$schema":{...}}\n{...}                       the same as a stream, with its schema
///     {"$schema":{...},"Person":[{...}],"Dog":[]}    a document of several classes
///     {"people":[{...}],"dogs":[]}                   the same of another program, if allowed
///
/// A document is recognized by `$schema` as its first name; an object without it is a record,
/// unless the caller allows documents of other programs.
/// Memory is bounded by one record plus one chunk, and records are bounded by ``JSONLimits``.
package struct JSONReader: ~Copyable {
    /// The expected input at ``position`` between two records.
    private enum Shape {
        case start
        /// The next value of a stream, or the end.
        case stream
        /// In the top-level array, or in the array of a class.
        case array(className: String?, Place)
        /// After a member of a document.
        case document
        /// Only white space.
        case end
    }

    /// A place in an array between two elements.
    private enum Place {
        case first
        case afterElement
        case afterComma
    }

    let limits: JSONLimits
    let source: any ByteSource
    var buffer: ReadBuffer
    /// The next byte to read.
    var position = 0
    /// The line of ``position``, counted from 1.
    package internal(set) var line: UInt64
    /// The offset of that line in the input.
    var lineOffset: UInt64
    /// The number of characters of that line before the buffer.
    var charactersBefore = 0
    /// The number of values that the current record may still have.
    var valuesLeft = 0
    /// The number of members or elements of the last array or object at each depth; the next one
    /// usually has the same number.
    var expectedCounts: [Int]
    /// The fingerprints of the names of all open objects: the first ``nameCount``.
    var fingerprints: [UInt64] = []
    var nameCount = 0
    /// The name sets of the open objects with many names.
    var nameSets: [NameSet] = []
    /// The bytes of a string with escapes.
    var scratch = TextBuffer(capacity: 256)
    private var shape = Shape.start
    /// The start of the current record, so that the record can be skipped as a whole.
    package private(set) var recordLine: UInt64
    /// The line on which the last record without a tree begins: its offset, and its characters before
    /// the buffer.
    private var flatStart: (lineOffset: UInt64, charactersBefore: Int) = (0, 0)
    /// The classes of a document that were read so far.
    private var classNames: [String] = []
    /// Returns whether an object of these arrays is a record; `nil` if every object is one.
    private let isRecord: (([String]) -> Bool)?
    /// The arrays of a document of another program, as far as they are known.
    package private(set) var arrayNames: [String]?
    private var isBeforeFirstArray = false

    /// The number of bytes of the input in the records so far.
    package var bytesRead: UInt64 { buffer.bytesBefore + UInt64(position) }
    /// Whether a record, or the start of a record, can be read without waiting.
    package var hasInput: Bool {
        (position..<buffer.end).contains { buffer.base[$0] > 0x20 } || source.hasInput
    }
    /// Whether the records are consecutive, so that an invalid record can be skipped.
    package var isStream: Bool { if case .stream = shape { true } else { false } }
    /// The name of the input, for errors.
    package var name: String { source.name }

    package init(
        _ source: any ByteSource, limits: JSONLimits = JSONLimits(),
        isRecord: (([String]) -> Bool)? = nil
    ) throws(InputError) {
        self.source = source
        self.isRecord = isRecord
        self.limits = limits
        buffer = ReadBuffer(capacity: limits.chunkBytes)
        expectedCounts = Array(repeating: 0, count: limits.depthMax + 1)
        (line, lineOffset, recordLine) = (1, 0, 1)
        try skipByteOrderMark()
    }

    /// Reads consecutive records from the middle of an input.
    ///
    /// - Parameter start: the position at which the source begins, at the start of a line.
    package init(
        _ source: any ByteSource, continuingAt start: TextPosition, limits: JSONLimits
    ) {
        self.source = source
        isRecord = nil
        self.limits = limits
        buffer = ReadBuffer(capacity: limits.chunkBytes, bytesBefore: start.offset)
        expectedCounts = Array(repeating: 0, count: limits.depthMax + 1)
        (line, lineOffset, recordLine) = (start.line, start.offset, start.line)
        shape = .stream
    }

    /// Returns the next record, or `nil` at the end of the input.
    package mutating func next() throws(InputError) -> JSONRecord? {
        while true {
            buffer.rowStart = position
            let byte = try byteBetweenRecords()
            valuesLeft = limits.recordValuesMax
            recordLine = line
            nameCount = 0
            if !nameSets.isEmpty { nameSets.removeAll() }
            switch shape {
            case .start:
                guard let byte else { return nil }
                if let record = try begin(byte) { return record }
            case .stream:
                guard byte != nil else { return nil }
                return .value(try streamValue(), className: nil)
            case .array(let className, let place):
                guard try continueArray(byte, className, place) else { continue }
                return .value(try readValue(depth: 0), className: className)
            case .document: try continueDocument(byte)
            case .end:
                guard byte == nil else { throw syntaxError("text after the end of the document") }
                return nil
            }
        }
    }

    // MARK: Records without a tree

    /// Advances to the next record of a stream or of the top-level array.
    ///
    /// - Returns: its first byte; `nil` if there is no further one, or ``next()`` must read it.
    mutating func flatRecordStart() throws(InputError) -> UInt8? {
        switch shape {
        case .stream: return try byteBetweenRecords()
        case .array(className: nil, let place):
            let byte = try byteBetweenRecords()
            guard case .afterElement = place else { return byte }
            guard byte == UInt8(ascii: ",") else { return nil }
            position += 1
            shape = .array(className: nil, .afterComma)
            return try byteBetweenRecords()
        default: return nil
        }
    }

    /// Marks the record at the last start as read.
    mutating func noteFlatRecord() {
        recordLine = line
        flatStart = (lineOffset, charactersBefore)
        if case .array = shape { shape = .array(className: nil, .afterElement) }
    }

    /// Returns to the start of the record that was read last.
    package mutating func returnFlatRecord() {
        position = buffer.rowStart
        line = recordLine
        (lineOffset, charactersBefore) = flatStart
        if case .array = shape { shape = .array(className: nil, .afterComma) }
    }

    // MARK: The form of the input

    /// Determines the form of the input from its first byte.
    private mutating func begin(_ byte: UInt8) throws(InputError) -> JSONRecord? {
        if byte == UInt8(ascii: "[") {
            position += 1
            shape = .array(className: nil, .first)
            return nil
        }
        // Even if the first record is invalid, others may follow.
        shape = .stream
        if byte == UInt8(ascii: "{"), try skipSchemaName() {
            shape = .document
            let tree = try readValue(depth: 1)
            return .schema(tree)
        }
        if byte == UInt8(ascii: "{"), let isRecord, let names = try namesOfArrays(),
            !isRecord(names)
        {
            arrayNames = names
            shape = .document
            isBeforeFirstArray = true
            position += 1
            return nil
        }
        return .value(try streamValue(), className: nil)
    }

    /// Skips `{"$schema":` at a brace if the object begins with it.
    private mutating func skipSchemaName() throws(InputError) -> Bool {
        let (line, lineOffset, character) = (line, lineOffset, character)
        position += 1
        if try nextByte() == UInt8(ascii: "\""), try readName() == "$schema" {
            try skip(UInt8(ascii: ":"), "a colon after a name")
            guard let byte = try nextByte() else { throw endError() }
            // `{"$schema":"https://..."}` is an object of another program.
            if byte == UInt8(ascii: "{") { return true }
        }
        // Returns to the start of the record, which is still in the buffer.
        position = buffer.rowStart
        (self.line, self.lineOffset) = (line, lineOffset)
        charactersBefore = character - 1 - charactersAtHand(to: position)
        return false
    }

    private mutating func streamValue() throws(InputError) -> JSONTree {
        let tree = try readValue(depth: 0)
        switch tree.content {
        case .array, .object, .string: return tree
        case .null, .bool, .number: break
        }
        // 1 2 are two values, but 12 and truefalse are not.
        guard try hasByte() else { return tree }
        guard buffer.base[position] <= 0x20 else {
            throw syntaxError("missing white space between two values")
        }
        return tree
    }

    /// - Returns: whether an element begins at ``position``; if not, the array has ended.
    private mutating func continueArray(
        _ byte: UInt8?, _ className: String?, _ place: Place
    ) throws(InputError) -> Bool {
        guard let byte else { throw endError() }
        if byte == UInt8(ascii: "]"), place != .afterComma {
            position += 1
            shape = className == nil ? .end : .document
            return false
        }
        if place == .afterElement {
            try skip(UInt8(ascii: ","), "a comma or a bracket after an array element")
            guard try byteBetweenRecords() != nil else { throw endError() }
            buffer.rowStart = position
        }
        shape = .array(className: className, .afterElement)
        return true
    }

    /// Advances to the next array after `{"$schema":{...}` or the array of a class.
    private mutating func continueDocument(_ byte: UInt8?) throws(InputError) {
        guard let byte else { throw endError() }
        if byte == UInt8(ascii: "}") {
            position += 1
            // A schema alone is the first line of a stream.
            shape = classNames.isEmpty ? .stream : .end
            return
        }
        if isBeforeFirstArray {
            isBeforeFirstArray = false
        } else {
            try skip(UInt8(ascii: ","), "a comma or a brace after an object member")
        }
        guard try nextByte() == UInt8(ascii: "\"") else { throw unexpected("a name in quotes") }
        let start = here
        let name = try readName()
        guard !classNames.contains(where: { $0 == name }) else {
            throw duplicateName(name, at: start)
        }
        classNames.append(name)
        try skip(UInt8(ascii: ":"), "a colon after a name")
        guard try nextByte() == UInt8(ascii: "[") else {
            throw unexpected("an array with the objects of a class")
        }
        position += 1
        shape = .array(className: name, .first)
    }
}

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
    /// The maximum length of a number; 767 digits determine any double.
    package var numberBytesMax = 4096
    /// The number of bytes requested from the source at once.
    package var chunkBytes = 1 << 20

    package init() {}
}
