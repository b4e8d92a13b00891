import FirnEngine
import FirnTesting
import FirnText
import FirnValues
import Testing

@testable import FirnFormats

@Suite("Inputs that several threads read")
struct BlockReadingTests {
    private let seed = UInt64.random(in: 0...(.max))

    // MARK: Tables

    /// The types of the columns and the number of rows, or the error.
    private func outcome(_ infer: () throws -> TableInference) -> String {
        do {
            let outcome = try infer().outcome
            return "\(outcome.rowCount) \(outcome.columns)"
        } catch { return "\(error)" }
    }

    private func inBlocks(
        _ text: String, _ format: DelimitedFormat, _ options: TableInference.Options,
        byteCount: Int, threadCount: Int
    ) throws -> (TableInference, RowPositions?) {
        var table = try TableBlocks(
            MemorySource(Array(text.utf8)), format, blockByteCount: byteCount)
        var inference = TableInference(options)
        let columns = inference.begin(table.reader.columnNames, nil)
        let positions = try inference.readRows(
            of: &table, columns, threadCount: threadCount
        ) { _ in true }
        inference.end(columns)
        return (inference, positions)
    }

    private func inOnePiece(
        _ text: String, _ format: DelimitedFormat, _ options: TableInference.Options
    ) throws -> TableInference {
        var inference = TableInference(options)
        try inference.read(TableReader(MemorySource(Array(text.utf8)), format)) { _ in true }
        return inference
    }

    /// A table whose columns change their types late, with mistakes now and then.
    private func randomTable(_ random: inout SplitMix64) -> String {
        let rowCount = Int.random(in: 0..<60, using: &random)
        let changes = (0..<4).map { _ in Int.random(in: 0..<80, using: &random) }
        var text = "id,x,y,z\n"
        for row in 0..<rowCount {
            if random.happens(oneIn: 150) {
                let mistakes = ["1,2\n", "\n", "1,a\"b,3,4\n", "1,\"open,3,4\n", "1,\u{0},3,4\n"]
                text += mistakes[Int.random(in: 0..<mistakes.count, using: &random)]
            }
            let x = row < changes[0] ? "\(row)" : "\(row).5"
            let y = row < changes[1] ? "2020-01-1\(row % 10)" : "2020-01-10T00:00:0\(row % 10)Z"
            let z = row < changes[2] ? "true" : row < changes[3] ? "NA" : "\"two\n\"\"lines\"\"\""
            text += "\(row),\(random.happens(oneIn: 9) ? "" : x),\(y),\(z)"
            text += random.happens(oneIn: 5) ? "\r\n" : "\n"
        }
        if random.happens(oneIn: 5) { text += "\n\n" }
        if random.happens(oneIn: 5) { text.removeLast() }
        return text
    }

    @Test("A table read in blocks has the same types, counts and errors as a table in one piece")
    func tables() throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<500 {
            let text = randomTable(&random)
            var options = TableInference.Options()
            options.isExact = random.happens(oneIn: 4)
            options.skipsBroken = random.happens(oneIn: 4)
            if random.happens(oneIn: 4) {
                options.declared = [DeclaredType(property: "x", type: PropertyType(.int))]
            }
            var format = DelimitedFormat.csv
            if random.happens(oneIn: 6) { format.header = .none }
            let byteCount = Int.random(in: 1..<200, using: &random)
            let threadCount = Int.random(in: 1..<4, using: &random)
            let expected = outcome { try inOnePiece(text, format, options) }
            let found = outcome {
                try inBlocks(
                    text, format, options, byteCount: byteCount, threadCount: threadCount
                ).0
            }
            #expect(found == expected, "seed \(seed), \(byteCount) bytes: \(text)")
        }
    }

    @Test("The parts of a table contain its rows in order")
    func parts() throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<200 {
            let text = randomTable(&random)
            var options = TableInference.Options()
            options.partRowCount = Int.random(in: 1..<9, using: &random)
            guard
                let found = try? inBlocks(
                    text, .csv, options, byteCount: Int.random(in: 1..<99, using: &random),
                    threadCount: 2),
                let positions = found.1, case .table(let form) = positions.form
            else { continue }
            let whole = try TableReader(MemorySource(Array(text.utf8)), .csv)
            #expect(positions.rowCount == Int(found.0.rowCount))
            let bytes = Array(text.utf8)
            for (index, start) in positions.starts.enumerated() {
                let next = index + 1 < positions.starts.count
                let end = next ? positions.starts[index + 1] : positions.end
                let part = try TableReader(
                    MemorySource(Array(bytes[Int(start.offset)..<Int(end.offset)])),
                    continuing: form, at: start)
                var count = 0
                while try part.next() {
                    #expect(try whole.next())
                    #expect(part.row.line == whole.row.line, "seed \(seed): \(text)")
                    #expect(part.bytesRead == whole.bytesRead)
                    for field in 0..<part.row.count {
                        #expect(part.row.text(field).elementsEqual(whole.row.text(field)))
                    }
                    count += 1
                }
                #expect(count == options.partRowCount || !next && count > 0)
            }
            #expect(try !whole.next())
        }
    }

    /// A byte order mark at the start of a block would have been taken for that of the input.
    @Test("A byte order mark in the middle of a table is text")
    func mark() throws {
        let text = "a,b\n1,2\n\u{FEFF}3,4\n"
        let found = try inBlocks(text, .csv, TableInference.Options(), byteCount: 8, threadCount: 2)
        #expect(found.0.outcome.columns.map(\.type.base) == [.string, .int])
    }

    @Test("Reading ends when the caller stops it")
    func interruption() throws {
        let text = "a\n" + String(repeating: "1\n", count: 1000)
        var table = try TableBlocks(MemorySource(Array(text.utf8)), .csv, blockByteCount: 20)
        var inference = TableInference(TableInference.Options())
        let columns = inference.begin(table.reader.columnNames, nil)
        var callCount = 0
        #expect(throws: InputError.self) {
            _ = try inference.readRows(of: &table, columns) { _ in
                callCount += 1
                return callCount < 5
            }
        }
        #expect(callCount == 5)
    }

    // MARK: Objects

    private func describe(_ inference: ObjectInference) -> String {
        inference.classNames.map { name in
            var taken = ClassNames(inference.classNames)
            let classes = inference.classes[name].map {
                InferredClass.classes(
                    $0, named: name, declared: [], names: FieldNames(), taken: &taken)
            }
            let plain = inference.classes[name].map { "\($0.isPlain) \($0.fields.map(\.isPlain))" }
            return "\(classes ?? []) \(plain ?? "")"
        }.joined(separator: "\n")
    }

    private func randomObjects(_ random: inout SplitMix64) -> String {
        var text = ""
        for row in 0..<Int.random(in: 1..<60, using: &random) {
            var members = ["\"id\":\(row)", "\"x\":\(random.happens(oneIn: 20) ? "-0" : "1.5")"]
            if random.happens(oneIn: 40) { members.insert("\"$class\":\"Other\"", at: 0) }
            if random.happens(oneIn: 40) { members.append("\"$id\":\(row)") }
            if random.happens(oneIn: 9) { members.append("\"t\":\"a \\\"quoted\\\" text\"") }
            if random.happens(oneIn: 30) { members.append("\"list\":[\(row),{\"in\":null}]") }
            if random.happens(oneIn: 50) { members.append("\"id\":7") }
            if random.happens(oneIn: 3) { members.append("\"d\":\"2020-01-01\"") }
            let separator = random.happens(oneIn: 20) ? ",\n  " : ", "
            text += "{" + members.joined(separator: separator) + "}"
            text += random.happens(oneIn: 60) ? " [1]\n" : random.happens(oneIn: 9) ? "\n\n" : "\n"
        }
        return text
    }

    @Test("Objects read in blocks have the same types and counts as objects in one piece")
    func objects() throws {
        var random = SplitMix64(seed: seed)
        var blockCount = 0
        for _ in 0..<500 {
            let text = randomObjects(&random)
            let form = ObjectInference.Form(name: "x", className: "T")
            var whole = ObjectInference(isExact: false)
            let records = JSONRecords(MemorySource(Array(text.utf8)), continuingAt: .start)
            let rows = whole.see(all: records, "T", at: .start)
            var blocks = TextBlocks(
                MemorySource(Array(text.utf8)), quote: nil,
                byteCount: Int.random(in: 1..<200, using: &random))
            var reading = BlockReading(
                ObjectInference(isExact: false), RowPositions(.objects, partRowCount: 1), form,
                threadCount: Int.random(in: 1..<4, using: &random))
            let rest = try reading.read(&blocks, name: "x") { _ in true }
            guard let rows else {
                // The reader of the rest finds the mistake.
                #expect(rest != nil, "seed \(seed): \(text)")
                continue
            }
            guard rest == nil else { continue }
            blockCount += 1
            #expect(describe(reading.evidence) == describe(whole), "seed \(seed): \(text)")
            var positions = RowPositions(.objects, partRowCount: 1)
            positions.append(rows, byteCount: text.utf8.count)
            #expect(reading.positions.starts == positions.starts, "seed \(seed): \(text)")
            #expect(reading.positions.end == positions.end)
        }
        #expect(blockCount > 50)
    }
}
