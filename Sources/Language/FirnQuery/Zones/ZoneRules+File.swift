import FirnValues

extension ZoneRules {
    /// Parses a compiled zone of the system's database, as RFC 9636 describes it; `nil` if it is
    /// invalid.
    package convenience init?(file bytes: [UInt8]) {
        var reader = ZoneFileReader(bytes: bytes)
        // Times of 32 bits come first; the second part has 64 bits.
        guard let first = reader.header() else { return nil }
        guard first.version >= UInt8(ascii: "2") else { return nil }
        guard reader.skip(first.byteCount(timeSize: 4)), let header = reader.header(),
            (1...256).contains(header.typeCount)
        else { return nil }
        var transitions: [Int64] = []
        for _ in 0..<header.timeCount {
            guard let time = reader.integer(8) else { return nil }
            transitions.append(time)
        }
        var types: [Int] = []
        for _ in 0..<header.timeCount {
            guard let type = reader.byte(), Int(type) < header.typeCount else { return nil }
            types.append(Int(type))
        }
        var typeOffsets: [Int64] = []
        for _ in 0..<header.typeCount {
            guard let offset = reader.integer(4), abs(offset) < 1_000_000, reader.skip(2) else {
                return nil
            }
            typeOffsets.append(offset)
        }
        guard zip(transitions, transitions.dropFirst()).allSatisfy({ $0 < $1 }),
            reader.skip(
                header.nameCount + header.leapCount * 12 + header.standardCount
                    + header.universalCount)
        else { return nil }
        self.init(
            transitions: transitions,
            offsets: [typeOffsets[0]] + types.map { typeOffsets[$0] },
            rule: reader.footer().flatMap { ZoneYearRule($0) })
    }
}

/// Reads the parts of a compiled zone.
private struct ZoneFileReader {
    struct Header {
        let version: UInt8
        let universalCount: Int
        let standardCount: Int
        let leapCount: Int
        let timeCount: Int
        let typeCount: Int
        let nameCount: Int

        /// Returns the size of the data after the header.
        func byteCount(timeSize: Int) -> Int {
            timeCount * (timeSize + 1) + typeCount * 6 + nameCount
                + leapCount * (timeSize + 4) + standardCount + universalCount
        }
    }

    let bytes: [UInt8]
    var position = 0

    mutating func skip(_ count: Int) -> Bool {
        guard count >= 0, count <= bytes.count - position else { return false }
        position += count
        return true
    }

    mutating func byte() -> UInt8? {
        guard position < bytes.count else { return nil }
        position += 1
        return bytes[position - 1]
    }

    /// Reads a signed number, the highest byte first.
    mutating func integer(_ size: Int) -> Int64? {
        guard size <= bytes.count - position else { return nil }
        var number: Int64 = bytes[position] >= 0x80 ? -1 : 0
        for byte in bytes[position..<position + size] { number = number << 8 | Int64(byte) }
        position += size
        return number
    }

    mutating func header() -> Header? {
        guard bytes.count - position >= 44,
            Array(bytes[position..<position + 4]) == Array("TZif".utf8)
        else { return nil }
        let version = bytes[position + 4]
        position += 20
        var counts: [Int] = []
        for _ in 0..<6 {
            guard let count = integer(4), (0...1_000_000).contains(count) else { return nil }
            counts.append(Int(count))
        }
        return Header(
            version: version, universalCount: counts[0], standardCount: counts[1],
            leapCount: counts[2], timeCount: counts[3], typeCount: counts[4],
            nameCount: counts[5])
    }

    /// Returns the text between the last two line ends.
    mutating func footer() -> [UInt8]? {
        guard byte() == 10, let end = bytes[position...].firstIndex(of: 10), end > position else {
            return nil
        }
        return Array(bytes[position..<end])
    }
}
