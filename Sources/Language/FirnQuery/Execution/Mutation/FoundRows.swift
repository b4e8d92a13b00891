import FirnCodec
import FirnValues

/// The row ids of the objects that a statement found, in the order of the query.
///
/// Ids that ascend, as those of a scan do, take one bit or two bytes each:
///
///     block    | base, a multiple of 65,536 | bits, or their offsets as numbers |
///
/// Any others are in a list.
struct FoundRows {
    fileprivate struct Block {
        let base: Int64
        var content: Content
    }

    fileprivate enum Content {
        case offsets([UInt16])
        case bits(Bitmap)
    }

    fileprivate static let blockSize: Int64 = 1 << 16
    /// The number of offsets in a block whose memory equals the memory of the bits.
    fileprivate static let offsetCountMax = 4_096

    private var blocks: [Block] = []
    private var list: [Int64] = []
    private var last = Int64.min
    private(set) var count = 0
    /// Whether the ids ascend.
    private(set) var isAscending = true

    /// Appends ids.
    mutating func append(_ ids: [Int64]) {
        for id in ids {
            if isAscending, id <= last { endBlocks() }
            if isAscending { appendToBlock(id) } else { list.append(id) }
            last = id
            count += 1
        }
    }

    private mutating func appendToBlock(_ id: Int64) {
        let base = id & ~(Self.blockSize - 1)
        if blocks.last?.base != base { blocks.append(Block(base: base, content: .offsets([]))) }
        blocks[blocks.count - 1].content.append(UInt16(truncatingIfNeeded: id - base))
    }

    /// Continues with a list.
    private mutating func endBlocks() {
        var rows = makeIterator()
        list = rows.next(atMost: count)
        blocks = []
        isAscending = false
    }

    func makeIterator() -> Iterator { Iterator(self) }

    /// The ids that have not been delivered yet.
    struct Iterator {
        private let rows: FoundRows
        private var block = 0
        /// The ids of earlier blocks that have not been delivered yet, and the next one of them.
        private var known: [Int64]
        private var next = 0

        fileprivate init(_ rows: FoundRows) {
            self.rows = rows
            known = rows.list
        }

        /// Returns the next ids; returns fewer than requested only at the end.
        mutating func next(atMost countMax: Int) -> [Int64] {
            if next > 0, known.count - next < countMax {
                known.removeSubrange(..<next)
                next = 0
            }
            while known.count - next < countMax, block < rows.blocks.count {
                rows.blocks[block].append(to: &known)
                block += 1
            }
            let end = min(known.count, next + countMax)
            defer { next = end }
            return Array(known[next..<end])
        }
    }
}

extension FoundRows.Content {
    fileprivate mutating func append(_ offset: UInt16) {
        switch self {
        case .bits(var bits):
            // The bits are not shared while they change.
            self = .offsets([])
            bits[Int(offset)] = true
            self = .bits(bits)
        case .offsets(var offsets):
            self = .offsets([])
            offsets.append(offset)
            guard offsets.count == FoundRows.offsetCountMax else {
                self = .offsets(offsets)
                return
            }
            var bits = Bitmap(count: Int(FoundRows.blockSize))
            for offset in offsets { bits[Int(offset)] = true }
            self = .bits(bits)
        }
    }
}

extension FoundRows.Block {
    fileprivate func append(to ids: inout [Int64]) {
        switch content {
        case .offsets(let offsets): ids += offsets.map { base + Int64($0) }
        case .bits(let bits):
            var offsets: [UInt32] = []
            bits.appendRows(to: &offsets)
            ids += offsets.map { base + Int64($0) }
        }
    }
}
