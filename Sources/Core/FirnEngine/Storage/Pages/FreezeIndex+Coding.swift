import FirnCodec
import FirnValues

/// The encoding of the index within the history, and of the freezes in its leaves.
///
///     index    := count, { length, leaf }, count, { version - that before or 0, freezes },
///                 u8 1 if one expires, [zigzag earliest expiry]
///     leaf     := first name, freezes, reference
///     freezes  := count, { length, freeze }
///     freeze   := name, version, zigzag created, u8 1 if it expires, [zigzag expires], note
///
/// Numbers are varints, names are length and UTF-8.
extension FreezeIndex {
    func write(to writer: inout ByteWriter) {
        writer.varint(UInt64(leaves.count))
        for leaf in leaves {
            writer.record { body in
                body.string(leaf.firstName)
                body.varint(UInt64(leaf.count))
                leaf.reference.write(to: &body)
            }
        }
        writer.varint(UInt64(versions.count))
        var before: UInt64 = 0
        for frozen in versions {
            writer.varint(frozen.version.rawValue - before)
            writer.varint(UInt64(frozen.freezeCount))
            before = frozen.version.rawValue
        }
        writer.u8(earliestExpirySeconds == nil ? 0 : 1)
        if let earliestExpirySeconds { writer.zigzag(earliestExpirySeconds) }
    }

    /// - Parameter endUnit: The end of the file, before which every reference must end.
    init(from reader: inout ByteReader, endUnit: UInt64) throws(CodecError) {
        for _ in 0..<(try reader.recordCount(max: Freeze.countMaximum)) {
            var body = try reader.recordBody()
            let leaf = try Leaf(from: &body)
            guard leaf.reference.extent.end <= endUnit else {
                throw CodecError(.corrupt, "freezes in an impossible place", at: reader.offset)
            }
            leaves.append(leaf)
        }
        guard count <= Freeze.countMaximum else {
            throw CodecError(.corrupt, "too many freezes", at: reader.offset)
        }
        try readVersions(from: &reader)
        switch try reader.u8() {
        case 0: break
        case 1: earliestExpirySeconds = try reader.zigzag()
        default: throw CodecError(.corrupt, "unknown form of freezes", at: reader.offset - 1)
        }
    }

    private mutating func readVersions(from reader: inout ByteReader) throws(CodecError) {
        var before: UInt64 = 0
        var freezeCount = 0
        for index in 0..<(try reader.recordCount(max: Freeze.countMaximum)) {
            let (version, overflow) = before.addingReportingOverflow(try reader.varint())
            let number = try reader.varint()
            guard !overflow, index == 0 || version > before, number > 0,
                number <= UInt64(count - freezeCount)
            else { throw CodecError(.corrupt, "impossible frozen versions", at: reader.offset) }
            freezeCount += Int(number)
            versions.append(FrozenVersion(version: LSN(version), freezeCount: Int(number)))
            before = version
        }
        guard freezeCount == count else {
            throw CodecError(.corrupt, "other versions than freezes", at: reader.offset)
        }
    }
}

extension FreezeIndex.Leaf {
    fileprivate init(from reader: inout ByteReader) throws(CodecError) {
        firstName = try reader.string()
        let number = try reader.varint()
        guard number > 0, number <= UInt64(Freeze.countMaximum) else {
            throw CodecError(.corrupt, "impossible number of freezes", at: reader.offset)
        }
        count = Int(number)
        reference = try PageReference(from: &reader)
    }
}

extension Freeze {
    /// Writes a list of freezes.
    static func write(_ freezes: [Freeze], to writer: inout ByteWriter) {
        writer.varint(UInt64(freezes.count))
        for freeze in freezes { writer.record { freeze.writeFields(to: &$0) } }
    }

    /// Reads the result of ``write(_:to:)``.
    static func list(from reader: inout ByteReader) throws(CodecError) -> [Freeze] {
        let count = try reader.recordCount(max: .max)
        guard count <= countMaximum else {
            throw CodecError(.corrupt, "too many freezes", at: reader.offset)
        }
        var freezes: [Freeze] = []
        var names: TextSet = []
        for _ in 0..<count {
            var body = try reader.recordBody()
            let freeze = try Freeze(fieldsFrom: &body)
            guard problem(withName: freeze.name) == nil,
                freeze.note.utf8.count <= noteByteCountMaximum
            else { throw CodecError(.corrupt, "impossible freeze", at: reader.offset) }
            guard names.insert(freeze.name).inserted else {
                throw CodecError(.corrupt, "a freeze is listed twice", at: reader.offset)
            }
            freezes.append(freeze)
        }
        return freezes
    }

    /// The approximate size of the freeze in a list, in bytes.
    var encodedByteCount: Int { name.utf8.count + note.utf8.count + 24 }
}
