import FirnValues

extension ParquetSchemaElement {
    /// The meaning according to the logical type, otherwise according to its predecessor.
    private var meaning: ParquetLogicalType? {
        if let logical, logical != .other { return logical }
        switch converted {
        case 0: return .string
        case 4: return .enumeration
        case 5: return .decimal(precision: precision, scale: scale)
        case 6: return .date
        case 7: return .time(.milliseconds)
        case 8: return .time(.microseconds)
        case 9: return .timestamp(.milliseconds, isUTC: true)
        case 10: return .timestamp(.microseconds, isUTC: true)
        case 11: return .integer(bits: 8, isSigned: false)
        case 12: return .integer(bits: 16, isSigned: false)
        case 13: return .integer(bits: 32, isSigned: false)
        case 14: return .integer(bits: 64, isSigned: false)
        case 15: return .integer(bits: 8, isSigned: true)
        case 16: return .integer(bits: 16, isSigned: true)
        case 17: return .integer(bits: 32, isSigned: true)
        case 18: return .integer(bits: 64, isSigned: true)
        case 19: return .json
        case 20: return .bson
        default: return nil
        }
    }

    /// Returns the type of the values of a column.
    func valueType(_ physical: ParquetPhysicalType) throws(ColumnarError) -> ColumnarType {
        if let type = try annotatedType(physical) { return type }
        switch physical {
        case .boolean: return .bool
        case .int32: return .int(bits: 32, isSigned: true)
        case .int64: return .int(bits: 64, isSigned: true)
        case .int96: return .timestamp(.secondsAndNanoseconds, isUTC: true)
        case .float: return .float
        case .double: return .double
        case .byteArray, .fixedByteArray: return .binary
        }
    }

    private func annotatedType(
        _ physical: ParquetPhysicalType
    ) throws(ColumnarError) -> ColumnarType? {
        switch (meaning, physical) {
        case (.string, .byteArray), (.enumeration, .byteArray): return .string
        case (.json, .byteArray): return .json
        case (.date, .int32): return .date
        case (.time(let unit), .int32), (.time(let unit), .int64): return .time(unit)
        case (.timestamp(let unit, let isUTC), .int64): return .timestamp(unit, isUTC: isUTC)
        case (.integer(bits: 64, isSigned: false), .int64):
            return .decimal(precision: 20, scale: 0)
        case (.integer(let bits, let isSigned), .int32) where [8, 16, 32].contains(bits):
            return .int(bits: bits, isSigned: isSigned)
        case (.uuid, .fixedByteArray) where typeLength == 16: return .uuid
        case (.float16, .fixedByteArray) where typeLength == 2: return .float
        case (.decimal(let precision, let scale), .int32),
            (.decimal(let precision, let scale), .int64),
            (.decimal(let precision, let scale), .byteArray),
            (.decimal(let precision, let scale), .fixedByteArray):
            guard precision >= 1, precision <= 38, scale >= 0, scale <= precision else {
                throw ColumnarError(
                    .unsupported,
                    "the decimals have \(precision) digits, \(scale) of them after the point; at "
                        + "most 38 are read",
                    remedy: "convert the column to text or to decimal(38, \(min(scale, 38)))")
            }
            return .decimal(precision: precision, scale: scale)
        // The type of a column of nulls.
        case (.unknown, _): return .null
        default: return nil
        }
    }
}
