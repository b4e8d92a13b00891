import FirnCodec
import FirnValues

/// The encoding of an edit: its code, and the fields after the property; see ``Operation``.
extension CollectionEdit {
    var code: Operation.Code {
        switch self {
        case .append: .append
        case .insert: .insert
        case .replace: .replace
        case .remove: .remove
        case .move: .move
        case .add: .add
        case .discard: .discard
        case .put: .put
        case .drop: .drop
        case .clear: .clear
        }
    }

    func writeFields(to writer: inout ByteWriter) throws(CodecError) {
        switch self {
        case .append(let value), .add(let value), .discard(let value):
            try value.writeTagged(to: &writer)
        case .insert(let position, let value), .replace(let position, let value):
            writer.zigzag(Int64(position))
            try value.writeTagged(to: &writer)
        case .remove(let position): writer.zigzag(Int64(position))
        case .move(let source, let target):
            writer.zigzag(Int64(source))
            writer.zigzag(Int64(target))
        case .put(let key, let value):
            writer.string(key)
            try value.writeTagged(to: &writer)
        case .drop(let key): writer.string(key)
        case .clear: break
        }
    }

    init(_ code: Operation.Code, from reader: inout ByteReader) throws(CodecError) {
        switch code {
        case .append: self = .append(try Value(taggedFrom: &reader))
        case .insert:
            let position = Int(try reader.zigzag())
            self = .insert(position, try Value(taggedFrom: &reader))
        case .replace:
            let position = Int(try reader.zigzag())
            self = .replace(position, try Value(taggedFrom: &reader))
        case .remove: self = .remove(Int(try reader.zigzag()))
        case .move:
            let source = Int(try reader.zigzag())
            self = .move(from: source, to: Int(try reader.zigzag()))
        case .add: self = .add(try Value(taggedFrom: &reader))
        case .discard: self = .discard(try Value(taggedFrom: &reader))
        case .put:
            let key = try reader.string(max: CodecLimits.taggedBytesMax)
            self = .put(key, try Value(taggedFrom: &reader))
        case .drop: self = .drop(try reader.string(max: CodecLimits.taggedBytesMax))
        case .clear: self = .clear
        default: throw CodecError(.corrupt, "not an edit of a collection", at: reader.offset)
        }
    }
}
