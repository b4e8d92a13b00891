import FirnValues

extension ParquetLeaf {
    /// Returns stored values as values of the type.
    func converted(_ stored: ColumnarColumn) throws(ColumnarError) -> ColumnarColumn {
        guard stored.type != type else { return stored }
        let column = ColumnarColumn(type)
        column.count = stored.count
        column.nanoseconds = stored.nanoseconds
        switch type {
        case .decimal: column.decimals = try decimals(stored)
        case .int(let bits, isSigned: false) where bits < 64:
            let mask: Int64 = 1 << Int64(bits) - 1
            column.ints = stored.ints.map { $0 & mask }
        case .float where physical == .fixedByteArray:
            column.doubles = (0..<stored.count).map { index in
                let low = UInt16(stored.bytes[2 * index])
                let high = UInt16(stored.bytes[2 * index + 1])
                return Double(halfPrecision: high << 8 | low)
            }
        default:
            column.ints = stored.ints
            column.doubles = stored.doubles
            if !stored.offsets.isEmpty { column.offsets = stored.offsets }
            column.bytes = stored.bytes
        }
        if column.type.lane == .bytes, column.type == .string || column.type == .json {
            try column.checkUTF8()
        }
        return column
    }

    private func decimals(_ stored: ColumnarColumn) throws(ColumnarError) -> [Int128] {
        guard stored.type.lane == .bytes else {
            // Unsigned integers of 64 bits are decimals without a scale.
            return type == .decimal(precision: 20, scale: 0)
                ? stored.ints.map { Int128(UInt64(bitPattern: $0)) }
                : stored.ints.map { Int128($0) }
        }
        var decimals: [Int128] = []
        decimals.reserveCapacity(stored.count)
        for index in 0..<stored.count {
            let range = Int(stored.offsets[index])..<Int(stored.offsets[index + 1])
            decimals.append(try Self.integer(stored.bytes[range]))
        }
        return decimals
    }

    /// Reads a signed integer whose highest byte is first.
    private static func integer(_ bytes: ArraySlice<UInt8>) throws(ColumnarError) -> Int128 {
        guard let first = bytes.first else { throw .damaged("a decimal has no bytes") }
        var value: Int128 = first >= 0x80 ? -1 : 0
        let sign: UInt8 = first >= 0x80 ? 0xFF : 0
        for (index, byte) in bytes.enumerated() {
            guard bytes.count - index <= 16 else {
                guard byte == sign else { throw .damaged("a decimal has more than 38 digits") }
                continue
            }
            value = value << 8 | Int128(byte)
        }
        guard value >= 0 ? sign == 0 : sign == 0xFF else {
            throw .damaged("a decimal has more than 38 digits")
        }
        return value
    }
}

extension Double {
    /// Creates the value of a 16-bit floating-point number.
    init(halfPrecision bits: UInt16) {
        let exponent = Int(bits >> 10 & 31)
        let fraction = Double(bits & 0x3FF)
        let magnitude: Double
        switch exponent {
        case 0: magnitude = fraction * 0x1p-24
        case 31: magnitude = fraction == 0 ? .infinity : .nan
        default:
            let significand = 1 + fraction / 1024
            magnitude = Double(sign: .plus, exponent: exponent - 15, significand: significand)
        }
        self = bits >> 15 == 1 ? -magnitude : magnitude
    }
}

extension ColumnarColumn {
    /// Checks that every text is valid UTF-8.
    func checkUTF8() throws(ColumnarError) {
        // Texts of ASCII need no look at their boundaries.
        let isASCII = bytes.withUnsafeBytes { bytes in
            var all: UInt64 = 0
            var position = 0
            while position + 8 <= bytes.count {
                all |= bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                position += 8
            }
            while position < bytes.count {
                all |= UInt64(bytes[position])
                position += 1
            }
            return all & 0x8080_8080_8080_8080 == 0
        }
        guard !isASCII else { return }
        for row in 0..<count {
            let text = bytes[Int(offsets[row])..<Int(offsets[row + 1])]
            guard String(validating: text, as: UTF8.self) != nil else {
                throw .damaged(
                    "the text \"\(String(decoding: text.prefix(40), as: UTF8.self))\" is not UTF-8")
            }
        }
    }
}
