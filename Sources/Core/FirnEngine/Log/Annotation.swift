import FirnCodec
import FirnValues

/// The author and the note of a commit, which the history keeps as long as the commit.
///
/// The first commit with one sets ``Superblock/annotationFeature``: earlier builds would take its
/// frame for damage.
package struct Annotation: Hashable, Sendable {
    package static let authorByteCountMaximum = 256
    package static let noteByteCountMaximum = 4096

    /// The author; empty if none is given.
    package let author: String
    /// The note; empty if none is given.
    package let note: String

    /// - Returns: `nil` if both are empty.
    /// - Precondition: The texts are not longer than their limits in bytes of UTF-8.
    package init?(author: String = "", note: String = "") {
        precondition(
            author.utf8.count <= Annotation.authorByteCountMaximum
                && note.utf8.count <= Annotation.noteByteCountMaximum, "an annotation too long")
        guard !author.isEmpty || !note.isEmpty else { return nil }
        self.author = author
        self.note = note
    }

    /// Whether a text can be an author.
    package static func isAuthor(_ text: String) -> Bool {
        1...authorByteCountMaximum ~= text.utf8.count
    }

    /// Bytes are compared, because two texts that look the same can differ.
    package static func == (left: Annotation, right: Annotation) -> Bool {
        left.author.hasSameBytes(as: right.author) && left.note.hasSameBytes(as: right.note)
    }
}

/// The encoding of an annotation: author, note.
extension Annotation {
    /// The size in bytes of the longest operation that annotates a commit.
    static let byteCountMaximum = 1 + 3 + authorByteCountMaximum + 3 + noteByteCountMaximum

    /// Writes the operation that annotates a commit.
    func write(to writer: inout ByteWriter) {
        writer.u8(Operation.Code.annotate.rawValue)
        writer.string(author)
        writer.string(note)
    }

    init(fieldsFrom reader: inout ByteReader) throws(CodecError) {
        let start = reader.offset
        let author = try reader.string(max: Annotation.authorByteCountMaximum)
        let note = try reader.string(max: Annotation.noteByteCountMaximum)
        guard let annotation = Annotation(author: author, note: note) else {
            throw CodecError(.corrupt, "an annotation without a text", at: start)
        }
        self = annotation
    }
}

extension RecordedOperations {
    /// The annotation of the commit, which is its first operation.
    ///
    /// - Throws: ``CodecError`` if the operation is invalid.
    var annotation: Annotation? {
        get throws(CodecError) {
            guard isAnnotated else { return nil }
            return try bytes.withBytes { bytes throws(CodecError) in
                var reader = OperationReader(bytes, count: 1)
                guard case .annotate(let annotation)? = try reader.next() else { return nil }
                return annotation
            }
        }
    }

    /// Whether the commit has an annotation.
    var isAnnotated: Bool { bytes.first == Operation.Code.annotate.rawValue }
}
