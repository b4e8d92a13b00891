import FirnCodec
import FirnValues

/// The encoding of a freeze: name, version, creation, whether it expires and when, note.
extension Freeze {
    func writeFields(to writer: inout ByteWriter) {
        writer.string(name)
        writer.varint(version.rawValue)
        writer.zigzag(createdSeconds)
        writer.u8(expiresSeconds == nil ? 0 : 1)
        if let expiresSeconds { writer.zigzag(expiresSeconds) }
        writer.string(note)
    }

    init(fieldsFrom reader: inout ByteReader) throws(CodecError) {
        let name = try reader.string()
        let version = LSN(try reader.varint())
        let created = try reader.zigzag()
        let expires: Int64?
        switch try reader.u8() {
        case 0: expires = nil
        case 1: expires = try reader.zigzag()
        default: throw CodecError(.corrupt, "unknown form of a freeze", at: reader.offset - 1)
        }
        self.init(
            name: name, version: version, createdSeconds: created, expiresSeconds: expires,
            note: try reader.string())
    }
}
