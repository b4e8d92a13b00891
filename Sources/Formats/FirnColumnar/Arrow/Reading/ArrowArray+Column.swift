import FirnValues

extension ArrowArray {
    /// Returns some values of the column.
    ///
    /// - Parameters:
    ///   - dictionaries: the values that indices refer to.
    ///   - isEncoded: whether a column with a dictionary has indices.
    func column(
        _ range: Range<Int>, _ dictionaries: [Int64: ColumnarColumn], _ limits: ColumnarLimits,
        isEncoded: Bool = true
    ) throws(ColumnarError) -> ColumnarColumn {
        guard range.lowerBound >= 0, range.upperBound <= length else {
            throw .damaged("a column has \(length) values, and \(range.upperBound) are expected")
        }
        guard range.count <= limits.batchValuesMax else {
            throw ColumnarError(
                .tooLarge,
                "the lists of \(limits.batchRowsMax) rows have more than "
                    + "\(limits.batchValuesMax) elements")
        }
        let column = ColumnarColumn(field.field.type)
        column.count = range.count
        column.validity = try validityBits(range)
        if isEncoded, !buffers.isEmpty, let dictionary = field.dictionary {
            try decode(range, dictionary, dictionaries, into: column, limits)
            return column
        }
        switch field.layout {
        case .null: column.validity = Array(repeating: 0, count: (range.count + 63) / 64)
        case .bits:
            try buffers[0].check((range.upperBound + 7) / 8, bytes: 1)
            column.ints.reserveCapacity(range.count)
            for row in range {
                column.ints.append(
                    Int64(buffers[0].load(row >> 3, as: UInt8.self) >> UInt8(row & 7) & 1))
            }
        case .integers(let bytes, let isSigned): try readIntegers(range, bytes, isSigned, column)
        case .floats(let bytes): try readFloats(range, bytes, column)
        case .dayMilliseconds:
            try readIntegers(range, 8, true, column)
            for index in column.ints.indices {
                column.ints[index] = Int64(
                    (Double(column.ints[index]) / 86_400_000).rounded(.down))
            }
        case .decimals(let bytes): try readDecimals(range, bytes, column)
        case .fixed(let bytes): try readFixed(range, bytes, column, limits)
        case .texts(let bytes): try readTexts(range, bytes, column, limits)
        case .views: try readViews(range, column, limits)
        case .lists(let bytes, _):
            let elements = try readOffsets(range, bytes, column, children[0].length, limits)
            column.children = [try children[0].column(elements, dictionaries, limits)]
        case .map:
            let elements = try readOffsets(range, 4, column, children[0].length, limits)
            column.children = try children[0].column(elements, dictionaries, limits).children
        case .fixedLists(let count, _):
            let (end, overflow) = range.upperBound.multipliedReportingOverflow(by: count)
            guard !overflow, range.count * count <= limits.batchValuesMax else {
                throw ColumnarError(.tooLarge, "lists have \(count) elements each")
            }
            for index in 0..<range.count { column.offsets.append(UInt32((index + 1) * count)) }
            column.children = [
                try children[0].column(range.lowerBound * count..<end, dictionaries, limits)
            ]
        case .structure:
            for child in children {
                column.children.append(try child.column(range, dictionaries, limits))
            }
        }
        if column.type == .string || column.type == .json { try column.checkUTF8() }
        return column
    }

    private func validityBits(_ range: Range<Int>) throws(ColumnarError) -> [UInt64] {
        guard let validity else { return [] }
        try validity.check((range.upperBound + 7) / 8, bytes: 1)
        var slots = SlotBuilder(capacity: range.count)
        for row in range {
            slots.append(
                isValid: validity.load(row >> 3, as: UInt8.self) >> UInt8(row & 7) & 1 == 1)
        }
        return slots.validCount < slots.count ? slots.words : []
    }

    // MARK: Numbers

    private func readIntegers(
        _ range: Range<Int>, _ bytes: Int, _ isSigned: Bool, _ column: ColumnarColumn
    ) throws(ColumnarError) {
        let buffer = buffers[0]
        try buffer.check(range.upperBound, bytes: bytes)
        guard column.type.lane != .decimals else {
            column.decimals = range.map { Int128(buffer.load($0, as: UInt64.self)) }
            return
        }
        column.ints =
            switch (bytes, isSigned) {
            case (1, true): range.map { Int64(buffer.load($0, as: Int8.self)) }
            case (1, false): range.map { Int64(buffer.load($0, as: UInt8.self)) }
            case (2, true): range.map { Int64(buffer.load($0, as: Int16.self)) }
            case (2, false): range.map { Int64(buffer.load($0, as: UInt16.self)) }
            case (4, true): range.map { Int64(buffer.load($0, as: Int32.self)) }
            case (4, false): range.map { Int64(buffer.load($0, as: UInt32.self)) }
            default: range.map { buffer.load($0, as: Int64.self) }
            }
    }

    private func readFloats(
        _ range: Range<Int>, _ bytes: Int, _ column: ColumnarColumn
    ) throws(ColumnarError) {
        let buffer = buffers[0]
        try buffer.check(range.upperBound, bytes: bytes)
        column.doubles =
            switch bytes {
            case 2: range.map { Double(halfPrecision: buffer.load($0, as: UInt16.self)) }
            case 4: range.map { Double(Float(bitPattern: buffer.load($0, as: UInt32.self))) }
            default: range.map { Double(bitPattern: buffer.load($0, as: UInt64.self)) }
            }
    }

    private func readDecimals(
        _ range: Range<Int>, _ bytes: Int, _ column: ColumnarColumn
    ) throws(ColumnarError) {
        let buffer = buffers[0]
        try buffer.check(range.upperBound, bytes: bytes)
        column.decimals =
            switch bytes {
            case 4: range.map { Int128(buffer.load($0, as: Int32.self)) }
            case 8: range.map { Int128(buffer.load($0, as: Int64.self)) }
            default: range.map { buffer.load($0, as: Int128.self) }
            }
    }

    // MARK: Texts

    private func readFixed(
        _ range: Range<Int>, _ bytes: Int, _ column: ColumnarColumn, _ limits: ColumnarLimits
    ) throws(ColumnarError) {
        try buffers[0].check(range.upperBound, bytes: bytes)
        for row in range {
            let text = UnsafeRawBufferPointer(start: buffers[0].base + row * bytes, count: bytes)
            try column.append(text, limits)
        }
    }

    private func readTexts(
        _ range: Range<Int>, _ bytes: Int, _ column: ColumnarColumn, _ limits: ColumnarLimits
    ) throws(ColumnarError) {
        // A column without values may have no offsets.
        guard !range.isEmpty else { return }
        try buffers[0].check(range.upperBound + 1, bytes: bytes)
        var start = buffers[0].offset(range.lowerBound, bytes: bytes)
        for row in range {
            let end = buffers[0].offset(row + 1, bytes: bytes)
            guard start >= 0, start <= end, end <= Int64(buffers[1].count) else {
                throw .damaged("a text is from \(start) to \(end) in \(buffers[1].count) bytes")
            }
            let text = UnsafeRawBufferPointer(
                start: buffers[1].base + Int(start), count: Int(end - start))
            try column.append(text, limits)
            start = end
        }
    }

    private func readViews(
        _ range: Range<Int>, _ column: ColumnarColumn, _ limits: ColumnarLimits
    ) throws(ColumnarError) {
        try buffers[0].check(range.upperBound, bytes: 16)
        for row in range {
            let length = Int(buffers[0].load(4 * row, as: Int32.self))
            guard length >= 0 else { throw .damaged("a text has \(length) bytes") }
            guard length > 12 else {
                try column.append(
                    UnsafeRawBufferPointer(start: buffers[0].base + 16 * row + 4, count: length),
                    limits)
                continue
            }
            let index = Int(buffers[0].load(4 * row + 2, as: Int32.self)) + 1
            let offset = Int(buffers[0].load(4 * row + 3, as: Int32.self))
            guard index >= 1, index < buffers.count, offset >= 0,
                offset <= buffers[index].count, length <= buffers[index].count - offset
            else { throw .damaged("a text of \(length) bytes is outside its buffer") }
            try column.append(
                UnsafeRawBufferPointer(start: buffers[index].base + offset, count: length), limits)
        }
    }

    /// Reads the offsets of lists.
    ///
    /// - Returns: the elements of the lists.
    private func readOffsets(
        _ range: Range<Int>, _ bytes: Int, _ column: ColumnarColumn, _ elementCount: Int,
        _ limits: ColumnarLimits
    ) throws(ColumnarError) -> Range<Int> {
        guard !range.isEmpty else { return 0..<0 }
        try buffers[0].check(range.upperBound + 1, bytes: bytes)
        let first = buffers[0].offset(range.lowerBound, bytes: bytes)
        var last = first
        guard first >= 0 else { throw .damaged("a list begins at \(first)") }
        for row in range {
            let end = buffers[0].offset(row + 1, bytes: bytes)
            guard end >= last, end <= Int64(elementCount) else {
                throw .damaged(
                    "a list has the offsets \(last) to \(end) in \(elementCount) elements")
            }
            last = end
            column.offsets.append(UInt32(truncatingIfNeeded: end - first))
        }
        return Int(first)..<Int(last)
    }

    // MARK: Dictionaries

    private func decode(
        _ range: Range<Int>, _ encoding: (id: Int64, indexBytes: Int, isSigned: Bool),
        _ dictionaries: [Int64: ColumnarColumn], into column: ColumnarColumn,
        _ limits: ColumnarLimits
    ) throws(ColumnarError) {
        guard let dictionary = dictionaries[encoding.id] else {
            throw .damaged("the dictionary \(encoding.id) is missing")
        }
        guard [1, 2, 4, 8].contains(encoding.indexBytes) else {
            throw .damaged("the indices of a dictionary have \(encoding.indexBytes) bytes")
        }
        let numbers = ColumnarColumn(.int(bits: 64, isSigned: true))
        try readIntegers(range, encoding.indexBytes, encoding.isSigned, numbers)
        var indices: [UInt32] = []
        var slots = SlotBuilder(capacity: range.count)
        for (row, number) in numbers.ints.enumerated() {
            guard column.isValid(row) else {
                slots.append(isValid: false)
                continue
            }
            guard number >= 0, number < Int64(dictionary.count) else {
                throw .damaged("an index is \(number), and the dictionary has \(dictionary.count)")
            }
            let isValid = dictionary.isValid(Int(number))
            slots.append(isValid: isValid)
            if isValid { indices.append(UInt32(number)) }
        }
        column.validity = []
        try column.append(dictionary, at: indices, limits)
        column.count = indices.count
        if slots.validCount < slots.count { column.spread(slots.words, count: slots.count) }
    }
}
