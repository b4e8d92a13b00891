import FirnCodec
import FirnEngine
import FirnValues

/// Groups on disk, in the order of their first rows; the last column holds the numbers of these
/// rows.
struct SpilledRun: Sendable {
    /// The maximum number of rows that are written together.
    private static let rowsPerBlockMax = 4_096
    /// The size in bytes at which rows are written even if there are fewer, because their values
    /// are long.
    private static let blockByteCountMax = 512 << 10
    /// The memory for the blocks of all runs that are read at the same time.
    private static let allBlocksByteCount = 32 << 20

    let blocks: [SpillFile.Block]
    let kinds: [ValueTag]

    init(blocks: [SpillFile.Block], kinds: [ValueTag]) {
        self.blocks = blocks
        self.kinds = kinds
    }

    /// Writes groups.
    ///
    /// - Parameter runCount: the number of runs that are read at the same time.
    init(
        _ columns: [ColumnVector], to file: SpillFile, among runCount: Int = 1
    ) throws(StoreError) {
        let blockByteCount = min(
            Self.blockByteCountMax, Self.allBlocksByteCount / max(1, runCount))
        let count = columns.last?.count ?? 0
        let rowByteCount = columns.reduce(0) { $0 + $1.valueByteCount } / max(1, count)
        let step = max(1, min(Self.rowsPerBlockMax, blockByteCount / max(1, rowByteCount)))
        var blocks: [SpillFile.Block] = []
        for start in stride(from: 0, to: count, by: step) {
            let rows = (start..<min(count, start + step)).map { UInt32(truncatingIfNeeded: $0) }
            let part = columns.map { column in
                var part = ColumnVector(kind: column.kind)
                part.append(column, rows: rows[...])
                return part
            }
            blocks.append(try file.append(part))
        }
        self.init(blocks: blocks, kinds: columns.map(\.kind))
    }
}
