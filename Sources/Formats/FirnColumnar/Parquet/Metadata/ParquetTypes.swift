import FirnValues

/// The types in which values are stored.
enum ParquetPhysicalType: Int {
    case boolean = 0
    case int32 = 1
    case int64 = 2
    /// A day and the nanoseconds in it.
    case int96 = 3
    case float = 4
    case double = 5
    case byteArray = 6
    case fixedByteArray = 7
}

/// The encodings of the values of a page.
enum ParquetEncoding: Int {
    case plain = 0
    case plainDictionary = 2
    case rle = 3
    case bitPacked = 4
    case deltaBinaryPacked = 5
    case deltaLengthByteArray = 6
    case deltaByteArray = 7
    case rleDictionary = 8
    case byteStreamSplit = 9
}

extension ColumnarCodec {
    /// Returns the codec with a number in a file.
    static func parquet(_ number: Int) throws(ColumnarError) -> ColumnarCodec {
        switch number {
        case 0: return .none
        case 1: return .snappy
        case 2: return .gzip
        case 6: return .zstd
        case 7: return .lz4
        default:
            let names = [3: "LZO", 4: "Brotli", 5: "the Hadoop form of LZ4"]
            throw ColumnarError(
                .unsupported,
                "the pages are compressed with \(names[number] ?? "the unknown codec \(number)"); "
                    + "snappy, gzip, zstd and LZ4_RAW are read",
                remedy: "write the file again with zstd: duckdb -c \"COPY (FROM 'OLD') TO "
                    + "'NEW' (FORMAT parquet, CODEC zstd)\"")
        }
    }

    /// The number of the codec in a file.
    var parquetNumber: Int {
        switch self {
        case .none: 0
        case .snappy: 1
        case .gzip: 2
        case .zstd: 6
        case .lz4: 7
        }
    }
}

/// An element of the flat list that describes the tree of columns.
struct ParquetSchemaElement {
    var physical: ParquetPhysicalType?
    var typeLength = 0
    /// 0 required, 1 optional, 2 repeated.
    var repetition = 0
    var name = ""
    var childCount = 0
    var converted: Int?
    var logical: ParquetLogicalType?
    var scale = 0
    var precision = 0
}

/// The meaning of stored values.
enum ParquetLogicalType: Hashable {
    case string
    case map
    case list
    case enumeration
    case decimal(precision: Int, scale: Int)
    case date
    case time(ColumnarTimeUnit)
    case timestamp(ColumnarTimeUnit, isUTC: Bool)
    case integer(bits: Int, isSigned: Bool)
    case unknown
    case json
    case bson
    case uuid
    case float16
    /// A type of a later version.
    case other
}

/// The place and the form of one column in a row group.
struct ParquetChunk {
    var physical: ParquetPhysicalType?
    var codec = 0
    var valueCount: Int64 = 0
    var dataOffset: Int64 = 0
    var dictionaryOffset: Int64?
    var compressedBytes: Int64 = 0
    var uncompressedBytes: Int64 = 0
    var isInOtherFile = false
    var isEncrypted = false
    var hasMetadata = false
}

struct ParquetRowGroup {
    var rowCount: Int64 = 0
    var chunks: [ParquetChunk] = []
}

/// The head of a page.
struct ParquetPageHeader {
    enum Kind: Int {
        case data = 0
        case index = 1
        case dictionary = 2
        case dataV2 = 3
    }

    var kind: Kind?
    var uncompressedBytes = 0
    var compressedBytes = 0
    /// The checksum of the compressed bytes, which not every writer stores.
    var checksum: UInt32?
    var valueCount = 0
    var encoding: ParquetEncoding?
    /// The number of an encoding that is unknown.
    var unknownEncoding: Int?
    var definitionEncoding = ParquetEncoding.rle.rawValue
    var repetitionEncoding = ParquetEncoding.rle.rawValue
    /// The size of the definition levels, which version 2 stores before the compressed part.
    var definitionBytes = 0
    var repetitionBytes = 0
    var isCompressed = true
}
