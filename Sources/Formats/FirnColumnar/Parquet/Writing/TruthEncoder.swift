import FirnValues

/// Encodes truth values, one bit each.
final class TruthEncoder: ValueEncoder {
    private var pending: [UInt8] = []
    private var hasFalse = false
    private var hasTrue = false

    var pendingBytes: Int { pending.count / 8 }
    var dictionaryCount: Int { 0 }

    var bounds: ParquetBounds? {
        guard hasFalse || hasTrue else { return nil }
        return ParquetBounds(least: [hasFalse ? 0 : 1], greatest: [hasTrue ? 1 : 0])
    }

    func reset() {
        hasFalse = false
        hasTrue = false
    }

    func append(_ entries: LeafEntries) {
        let positions = entries.positions ?? (0..<Int32(entries.entryCount)).map(\.self)
        for position in positions {
            let value = UInt8(truncatingIfNeeded: entries.column.ints[Int(position)] & 1)
            pending.append(value)
            hasTrue = hasTrue || value == 1
            hasFalse = hasFalse || value == 0
        }
    }

    func encodePage(to output: ByteOutput) -> ParquetEncoding {
        var byte: UInt8 = 0
        for (index, value) in pending.enumerated() {
            byte |= value << UInt8(index & 7)
            if index & 7 == 7 {
                output.append(byte: byte)
                byte = 0
            }
        }
        if pending.count & 7 != 0 { output.append(byte: byte) }
        pending.removeAll(keepingCapacity: true)
        return .plain
    }

    func encodeDictionary(to output: ByteOutput) {}
}
