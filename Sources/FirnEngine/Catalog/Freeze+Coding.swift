import FirnCodec
import FirnValues

extension Freeze {
    func write(to writer: inout ByteWriter) {
        writer.string(name)
        writer.varint(version.rawValue)
        writer.zigzag(createdSeconds)
        writer.u8(expiresSeconds == nil ? 0 : 1)
        if let expiresSeconds { writer.zigzag(expiresSeconds) }
        writer.string(note)
    }

    init(from reader: inout ByteReader) throws(CodecError) {
        let name = try reader.string(max: Freeze.nameByteCountMaximum)
        let version = LSN(try reader.varint())
        let created = try reader.zigzag()
        let expires = try reader.u8() == 0 ? nil : try reader.zigzag()
        let note = try reader.string(max: Freeze.noteByteCountMaximum)
        guard Freeze.problem(withName: name) == nil else {
            throw CodecError(.corrupt, "an impossible name of a freeze", at: reader.offset)
        }
        self.init(
            name: name, version: version, createdSeconds: created, expiresSeconds: expires,
            note: note)
    }
}
