package import FirnValues

/// Reads an Arrow stream, or an Arrow file as the stream that it contains.
package final class ArrowReader: ColumnarReader {
    package let fields: [ColumnarField]
    package let metadata: TextMap<String>
    package var rowCount: Int64? { nil }

    private let columns: [ArrowField]
    private let limits: ColumnarLimits
    private let budget: MemoryBudget
    private var input: ArrowInput
    private var dictionaries: [Int64: ColumnarColumn] = [:]
    /// The fields whose values are in dictionaries.
    private let encoded: [Int64: ArrowField]
    private var arrays: [ArrowArray] = []
    private var rows = 0..<0
    private var batchBytes = 0
    private var batchIndex = -1

    package init(
        _ source: any ColumnarSource, _ limits: ColumnarLimits = ColumnarLimits()
    ) throws(ColumnarError) {
        self.limits = limits
        budget = MemoryBudget(limits.memoryBytesMax)
        input = ArrowInput(source, limits)
        guard let message = try input.next(), message.kind == .schema else {
            throw .damaged("the file does not begin with a schema")
        }
        guard try message.header.number(0, default: Int16(0)) == 0 else {
            throw ColumnarError(
                .unsupported, "the numbers are big-endian; little-endian ones are read")
        }
        var columns: [ArrowField] = []
        var count = 0
        for table in try message.header.tables(1) {
            columns.append(try ArrowField(table, in: "", depth: 0, &count, limits))
        }
        self.columns = columns
        fields = columns.map(\.field)
        metadata = try ArrowField.texts(message.header, 2)
        var encoded: [Int64: ArrowField] = [:]
        for column in columns { column.collect(into: &encoded) }
        self.encoded = encoded
    }

    package func next() throws(ColumnarError) -> ColumnarBatch? {
        do throws(ColumnarError) {
            while rows.isEmpty {
                guard try readBatch() else { return nil }
            }
            let part = rows.prefix(limits.batchRowsMax)
            rows = part.upperBound..<rows.upperBound
            var columns: [ColumnarColumn] = []
            for array in arrays {
                do { columns.append(try array.column(part, dictionaries, limits)) } catch {
                    throw error.located(column: array.field.field.name)
                }
            }
            return ColumnarBatch(rowCount: part.count, columns: columns)
        } catch { throw error.located(group: max(0, batchIndex)) }
    }

    /// Reads messages up to the next record batch.
    private func readBatch() throws(ColumnarError) -> Bool {
        budget.give(back: batchBytes)
        batchBytes = 0
        arrays = []
        while let message = try input.next() {
            switch message.kind {
            case .batch:
                batchIndex += 1
                try budget.take(message.body.count)
                batchBytes = message.body.count
                var layout = try ArrowBatchLayout(message.header, message.body, limits, budget)
                defer { batchBytes += layout.byteCount }
                for column in columns {
                    let array: ArrowArray
                    do { array = try layout.array(column) } catch {
                        throw error.located(column: column.field.name)
                    }
                    guard array.length == layout.rowCount else {
                        throw ColumnarError.damaged(
                            "the column has \(array.length) values in \(layout.rowCount) rows"
                        ).located(column: column.field.name)
                    }
                    arrays.append(array)
                }
                rows = 0..<layout.rowCount
                return true
            case .dictionary: try readDictionary(message)
            case .schema: throw .damaged("the file has two schemas")
            case nil: continue
            }
        }
        return false
    }

    private func readDictionary(_ message: ArrowMessage) throws(ColumnarError) {
        let id = try message.header.number(0, default: Int64(0))
        guard let field = encoded[id], let data = try message.header.table(1) else {
            throw .damaged("no column has the dictionary \(id)")
        }
        switch field.field.type.lane {
        case .elements, .parts:
            throw ColumnarError(
                .unsupported, "the values of a dictionary are lists or structures",
                remedy: "write the column without a dictionary"
            ).located(column: field.field.name)
        default: break
        }
        var layout = try ArrowBatchLayout(data, message.body, limits, budget)
        defer { budget.give(back: layout.byteCount) }
        let array = try layout.array(field, asIndices: false)
        let values = try array.column(
            0..<array.length, dictionaries, limits, isEncoded: false)
        if try message.header.bool(2), let known = dictionaries[id] {
            let count = known.count
            guard count + values.count <= limits.batchValuesMax else {
                throw ColumnarError(.tooLarge, "a dictionary has \(count + values.count) values")
            }
            var slots = SlotBuilder(capacity: count + values.count)
            for index in 0..<count { slots.append(isValid: known.isValid(index)) }
            for index in 0..<values.count { slots.append(isValid: values.isValid(index)) }
            let indices = (0..<UInt32(values.count)).map(\.self)
            try known.append(values, at: indices, limits)
            known.count += values.count
            known.validity = slots.validCount < slots.count ? slots.words : []
        } else {
            guard dictionaries[id] != nil || dictionaries.count < limits.columnCountMax else {
                throw ColumnarError(.tooLarge, "the file has \(dictionaries.count) dictionaries")
            }
            dictionaries[id] = values
        }
    }
}

extension ArrowField {
    /// Collects the fields with dictionaries.
    fileprivate func collect(into fields: inout [Int64: ArrowField]) {
        if let dictionary { fields[dictionary.id] = self }
        switch layout {
        case .lists(_, let element), .fixedLists(_, let element), .map(let element):
            element.collect(into: &fields)
        case .structure(let parts): for part in parts { part.collect(into: &fields) }
        default: break
        }
    }
}
