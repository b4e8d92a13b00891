import FirnEngine
import FirnFormats
import FirnPlatform
import FirnText
import FirnValues

/// Loads a large input on several threads: each reads and encodes the rows of one row group.
///
/// The positions of the rows are known from the inference of types, so the row groups are those that
/// one thread would make.
struct PartsLoad {
    /// Rows that one thread loads.
    private struct Part: Sendable {
        let bytes: [UInt8]
        let start: TextPosition
        let firstRow: RowID
    }

    /// The size in bytes at which a part is too large to be kept in memory with others.
    private static let partByteCountMax: UInt64 = 16 << 20
    /// The number of parts per thread that are read ahead of their turn.
    private static let partsPerThread = 2

    private let input: ImportInput
    private let positions: RowPositions
    private let conversion: any PartConversion
    private let threadCount: Int

    /// - Returns: `nil` if the input is small, or cannot be read from the middle.
    init?(
        _ input: ImportInput, _ conversion: any PartConversion,
        threadCount: Int = Environment.processorCount
    ) {
        guard let positions = input.rowPositions, positions.fullPartCount > 1,
            positions.longestPartByteCount <= PartsLoad.partByteCountMax
        else { return nil }
        self.input = input
        self.positions = positions
        self.conversion = conversion
        self.threadCount = threadCount
    }

    /// Loads all rows.
    ///
    /// - Parameter progress: called periodically with the number of bytes read; `false` stops
    ///   reading with an error.
    func load(
        into loader: BulkLoader, progress: (UInt64) -> Bool
    ) throws(ImportFailure) {
        let source: any ByteSource
        do throws(InputError) {
            source = try input.source()
            try skipHeader(source)
        } catch { throw .input(error) }
        let work = work(loader.rowMaker)
        let first = loader.nextRowID
        var next = 0
        for index in 0..<positions.fullPartCount {
            while next < positions.fullPartCount,
                work.count < threadCount * PartsLoad.partsPerThread
            {
                let row = first.rawValue &+ UInt64(next * positions.partRowCount)
                work.add(try part(next, from: source, RowID(row)))
                next += 1
            }
            guard let rows = work.takeNext() else { break }
            let encoded = try rows.get()
            do { try loader.append(encoded) } catch { throw .store(error) }
            let start = positions.starts[index]
            guard progress(start.offset) else {
                throw .input(.interrupted(input.name, line: start.line))
            }
        }
        try loadLast(from: source, into: loader, progress)
    }

    /// Loads the rows after the last full part, which other inputs may complete.
    private func loadLast(
        from source: any ByteSource, into loader: BulkLoader, _ progress: (UInt64) -> Bool
    ) throws(ImportFailure) {
        guard positions.fullPartCount < positions.starts.count else { return }
        let last = try part(positions.fullPartCount, from: source, loader.nextRowID)
        _ = try conversion.load(
            MemorySource(last.bytes, name: input.name), at: last.start, into: loader,
            progress: progress)
    }

    /// Returns the work of the threads.
    private func work(
        _ makeRows: @escaping @Sendable () -> BulkRows
    ) -> OrderedWork<Part, Result<EncodedRows, ImportFailure>> {
        let (name, rowCount) = (input.name, positions.partRowCount)
        let conversion = conversion
        let spare = Guarded<[BulkRows]>([])
        return OrderedWork(threadCount: threadCount) { part in
            let rows = spare.withLock { $0.popLast() } ?? makeRows()
            defer { spare.withLock { $0.append(rows) } }
            return Result { () throws(ImportFailure) in
                rows.begin(at: part.firstRow)
                let count = try conversion.load(
                    MemorySource(part.bytes, name: name), at: part.start, into: rows
                ) { _ in true }
                guard count == UInt64(rowCount) else {
                    throw .input(.changed(name, line: part.start.line))
                }
                do throws(StoreError) { return try rows.finish() } catch { throw .store(error) }
            }
        }
    }

    // MARK: Bytes

    private func skipHeader(_ source: any ByteSource) throws(InputError) {
        guard let first = positions.starts.first else { return }
        _ = try read(Int(clamping: first.offset), from: source, at: .start)
    }

    private func part(
        _ index: Int, from source: any ByteSource, _ firstRow: RowID
    ) throws(ImportFailure) -> Part {
        let start = positions.starts[index]
        let end = index + 1 < positions.starts.count ? positions.starts[index + 1] : positions.end
        do {
            let bytes = try read(Int(clamping: end.offset - start.offset), from: source, at: start)
            return Part(bytes: bytes, start: start, firstRow: firstRow)
        } catch { throw .input(error) }
    }

    /// Reads exactly the given number of bytes.
    private func read(
        _ count: Int, from source: any ByteSource, at start: TextPosition
    ) throws(InputError) -> [UInt8] {
        let bytes: [UInt8]
        do { bytes = try source.readBytes(upTo: count) } catch {
            throw InputError(error, name: input.name)
        }
        guard bytes.count == count else { throw .changed(input.name, line: start.line) }
        return bytes
    }
}
