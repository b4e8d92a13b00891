import FirnPlatform
import FirnValues

/// The values of one leaf for the rows of a batch.
struct LeafValues {
    /// The levels of the entries; empty if the maximum is 0.
    var repetitions: [UInt8] = []
    var definitions: [UInt8] = []
    var entryCount = 0
    /// The values that are not null.
    var values: ColumnarColumn
}

/// Reads the values of one column of a row group, batch by batch.
final class LeafReader {
    let leaf: ParquetLeaf
    private let limits: ColumnarLimits
    private let budget: MemoryBudget
    private var pages: PageReader
    private var page: DataPage?
    /// Levels that were decoded and belong to later rows; a row ends where the next one begins.
    private var pendingRepetitions: [UInt8] = []
    private var pendingDefinitions: [UInt8] = []
    private var pendingStart = 0

    /// The number of levels that are decoded at one time.
    private static let levelCount = 4096

    init(
        _ file: any File, fileSize: UInt64, _ chunk: ParquetChunk, _ leaf: ParquetLeaf,
        _ limits: ColumnarLimits, _ budget: MemoryBudget
    ) throws(ColumnarError) {
        self.leaf = leaf
        self.limits = limits
        self.budget = budget
        do {
            pages = try PageReader(
                file, fileSize: fileSize, chunk, leaf, limits, budget)
        } catch { throw error.located(column: leaf.path) }
    }

    /// Returns the memory to the budget.
    func close() {
        if let page { budget.give(back: page.byteCount) }
        page = nil
        pages.close()
    }

    /// Reads the values of the next rows.
    func read(rows: Int) throws(ColumnarError) -> LeafValues {
        do {
            var result = LeafValues(values: ColumnarColumn(leaf.storedType))
            if leaf.repetitionMax == 0 {
                try readFlat(rows, &result)
            } else {
                try readRepeated(rows, &result)
            }
            result.values = try leaf.converted(result.values)
            return result
        } catch {
            throw error.located(column: leaf.path, page: max(0, pages.pageIndex - 1))
        }
    }

    /// Makes sure that there is a page with values.
    ///
    /// - Returns: whether there is one.
    private func ensurePage() throws(ColumnarError) -> Bool {
        if let page, page.remaining > 0 { return true }
        if let page { budget.give(back: page.byteCount) }
        page = nil
        page = try pages.next()
        return page != nil
    }

    private func readFlat(_ rows: Int, _ result: inout LeafValues) throws(ColumnarError) {
        while result.entryCount < rows {
            guard try ensurePage(), let page else {
                throw .damaged("the column has fewer values than the row group has rows")
            }
            let count = min(page.remaining, rows - result.entryCount)
            var valueCount = count
            if leaf.definitionMax > 0 {
                let start = result.definitions.count
                result.definitions.append(contentsOf: repeatElement(0, count: count))
                valueCount = try readDefinitions(count, &result.definitions, from: start)
            }
            try page.values.read(valueCount, into: result.values)
            self.page?.remaining -= count
            result.entryCount += count
        }
    }

    /// Decodes definition levels of the page.
    ///
    /// - Returns: the number of values that are not null.
    private func readDefinitions(
        _ count: Int, _ levels: inout [UInt8], from start: Int
    ) throws(ColumnarError) -> Int {
        let maximum = UInt8(leaf.definitionMax)
        var valid = 0
        var isSound = true
        try levels.withUnsafeMutableBufferPointer { (levels) throws(ColumnarError) in
            guard let base = levels.baseAddress else { return }
            try page?.definitions?.read(count, intoLevels: base + start)
            for index in start..<start + count {
                valid += base[index] == maximum ? 1 : 0
                isSound = isSound && base[index] <= maximum
            }
        }
        guard isSound else { throw .damaged("a definition level is above \(maximum)") }
        return valid
    }

    // MARK: Lists

    private func readRepeated(_ rows: Int, _ result: inout LeafValues) throws(ColumnarError) {
        var begun = 0
        while true {
            if pendingStart == pendingRepetitions.count, try !decodeLevels() { break }
            var position = pendingStart
            let end = pendingRepetitions.count
            while position < end {
                if pendingRepetitions[position] == 0 {
                    if begun == rows { break }
                    begun += 1
                }
                position += 1
            }
            try take(position - pendingStart, &result)
            if position < end { break }
        }
        guard begun == rows else {
            throw .damaged("the column has fewer rows than the row group")
        }
    }

    /// Decodes more levels of the page, or of the next one.
    private func decodeLevels() throws(ColumnarError) -> Bool {
        guard try ensurePage(), let page else { return false }
        let count = min(page.remaining, Self.levelCount)
        pendingStart = 0
        pendingRepetitions = [UInt8](repeating: 0, count: count)
        pendingDefinitions = [UInt8](repeating: 0, count: count)
        try pendingRepetitions.withUnsafeMutableBufferPointer { (levels) throws(ColumnarError) in
            guard let base = levels.baseAddress else { return }
            try self.page?.repetitions?.read(count, intoLevels: base)
        }
        guard pendingRepetitions.allSatisfy({ $0 <= leaf.repetitionMax }) else {
            throw .damaged("a repetition level is above \(leaf.repetitionMax)")
        }
        _ = try readDefinitions(count, &pendingDefinitions, from: 0)
        return true
    }

    /// Takes entries of the decoded levels, all of which are in the current page.
    private func take(_ count: Int, _ result: inout LeafValues) throws(ColumnarError) {
        guard count > 0, let page else { return }
        guard count <= limits.batchValuesMax - result.entryCount else {
            throw ColumnarError(
                .tooLarge,
                "the lists of \(limits.batchRowsMax) rows have more than "
                    + "\(limits.batchValuesMax) elements")
        }
        let range = pendingStart..<pendingStart + count
        guard result.entryCount > 0 || pendingRepetitions[pendingStart] == 0 else {
            throw .damaged("the column begins inside a row")
        }
        result.repetitions.append(contentsOf: pendingRepetitions[range])
        result.definitions.append(contentsOf: pendingDefinitions[range])
        result.entryCount += count
        let maximum = UInt8(leaf.definitionMax)
        var valid = 0
        for index in range where pendingDefinitions[index] == maximum { valid += 1 }
        try page.values.read(valid, into: result.values)
        pendingStart += count
        self.page?.remaining -= count
    }
}
