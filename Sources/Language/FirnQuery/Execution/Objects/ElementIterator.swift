import FirnCodec
import FirnEngine
import FirnValues

/// Reads the elements of one collection property for the objects of a path batch.
struct ElementIterator {
    /// The column of a collection to read.
    enum Part {
        case elements
        case keys
    }

    /// The location of one object's elements in the pages of its group.
    private struct ElementRange {
        var group = 0
        var row: UInt32 = 0
        var start: UInt32 = 0
        var count = 0
        /// Whether the elements are stored out of line.
        var isLarge = false
    }

    private let property: PropertySchema
    private let batch: PathBatch
    private let part: Part

    init(_ property: PropertySchema, _ batch: PathBatch, part: Part = .elements) {
        self.property = property
        self.batch = batch
        self.part = part
    }

    private var kind: ValueTag { part == .keys ? .string : property.columnKind }

    /// Returns the number of elements of each object.
    func counts() throws(StoreError) -> [Int] { try ranges().map(\.count) }

    /// Returns whole collections, one per object.
    func whole() throws(StoreError) -> ColumnVector {
        try batch.source.gathered(ColumnVector(of: property.type), of: batch.rows) {
            group, rows, vector throws(StoreError) in
            try batch.source.collection(property, of: group).append(rows, into: &vector)
        }
    }

    /// Visits all elements, chunk by chunk.
    func visit(_ body: PathEvaluator.Chunk) throws(StoreError) {
        let ranges = try ranges()
        var owners: [UInt32] = []
        var pieces: [ElementRange] = []
        func flush() throws(StoreError) {
            guard !owners.isEmpty else { return }
            try body(owners, try elements(of: pieces))
            owners.removeAll(keepingCapacity: true)
            pieces.removeAll(keepingCapacity: true)
        }
        for (range, owner) in zip(ranges, batch.owners) where range.count > 0 {
            if range.isLarge {
                try flush()
                try visitLarge(range, owner, body)
                continue
            }
            var rest = range
            while rest.count > 0 {
                var piece = rest
                piece.count = min(rest.count, PathEvaluator.chunkCountMax - owners.count)
                pieces.append(piece)
                owners.append(contentsOf: repeatElement(owner, count: piece.count))
                rest.start += UInt32(truncatingIfNeeded: piece.count)
                rest.count -= piece.count
                if owners.count == PathEvaluator.chunkCountMax { try flush() }
            }
        }
        try flush()
    }

    /// Returns one element of each list; null if the list is too short.
    func values(at position: BoundPath.Position) throws(StoreError) -> ColumnVector {
        let ranges = try ranges()
        let single = ranges.map { range in
            var element = range
            let index: Int
            switch position {
            case .index(let wanted): index = wanted
            case .first: index = 0
            case .last: index = range.count - 1
            }
            guard index >= 0, index < range.count else {
                element.count = 0
                return element
            }
            if !range.isLarge {
                element.start += UInt32(truncatingIfNeeded: index)
                element.count = 1
            } else {
                // For a large collection, the index is relative to the collection itself.
                element.start = UInt32(truncatingIfNeeded: index)
            }
            return element
        }
        return try oneEach(single) { _, range, vector in
            let index = Int(vector.offsets[0]) + Int(range.start)
            return index < Int(vector.offsets[1]) ? UInt32(truncatingIfNeeded: index) : nil
        }
    }

    /// Returns the value for a key in each map; null if the map does not contain the key.
    func values(forKey key: String) throws(StoreError) -> ColumnVector {
        var ranges = try ranges()
        for index in ranges.indices where !ranges[index].isLarge && ranges[index].count > 0 {
            let range = ranges[index]
            let keys = try column(of: range.group).keys
            let end = range.start + UInt32(truncatingIfNeeded: range.count)
            if let keys, let found = Self.find(key, in: keys, range.start..<end) {
                ranges[index].start = found
                ranges[index].count = 1
            } else {
                ranges[index].count = 0
            }
        }
        return try oneEach(ranges) { _, _, vector in
            let keys = vector.children[1]
            return (vector.offsets[0]..<vector.offsets[1]).first {
                keys.value(at: Int($0)) == .string(key)
            }
        }
    }

    /// Searches the keys of one map, which ascend by their bytes.
    private static func find(
        _ key: String, in keys: ColumnPage, _ range: Range<UInt32>
    ) -> UInt32? {
        var low = range.lowerBound
        var high = range.upperBound
        while low < high {
            let middle = low + (high - low) / 2
            switch keys.value(at: Int(middle)).order(relativeTo: .string(key)) {
            case .less: low = middle + 1
            case .equal: return middle
            case .greater: high = middle
            }
        }
        return nil
    }

    /// Returns the first element at each location, or null.
    ///
    /// Large collections are read and searched whole.
    private func oneEach(
        _ ranges: [ElementRange],
        _ search: (_ row: Int, _ range: ElementRange, _ whole: ColumnVector) -> UInt32?
    ) throws(StoreError) -> ColumnVector {
        var inline: [ElementRange] = []
        var owners: [UInt32] = []
        for (index, range) in ranges.enumerated() where range.count > 0 && !range.isLarge {
            inline.append(range)
            owners.append(UInt32(truncatingIfNeeded: index))
        }
        var values = try elements(of: inline).spread(to: owners, of: ranges.count)
        guard ranges.contains(where: { $0.isLarge && $0.count > 0 }) else { return values }
        let found = values
        values = ColumnVector(kind: kind)
        for (index, range) in ranges.enumerated() {
            guard range.isLarge, range.count > 0 else {
                values.append(found, rows: [UInt32(truncatingIfNeeded: index)])
                continue
            }
            let whole = try large(range)
            if let row = search(index, range, whole) {
                values.append(whole.children[0], rows: [row])
            } else {
                values.appendNull()
            }
        }
        return values
    }

    private func ranges() throws(StoreError) -> [ElementRange] {
        var ranges = [ElementRange](repeating: ElementRange(), count: batch.rows.count)
        try batch.rows.visitGroups { group, rows, positions throws(StoreError) in
            let column = try column(of: group)
            let large = Set(column.outOfLineRows)
            for (index, row) in rows.enumerated() {
                let position = positions.map { Int($0[index]) } ?? index
                ranges[position] = ElementRange(
                    group: group, row: row, start: column.starts[Int(row)],
                    count: column.count(at: Int(row)),
                    isLarge: !large.isEmpty && large.contains(row))
            }
        }
        return ranges
    }

    private func column(of group: Int) throws(StoreError) -> CollectionColumn {
        try batch.source.collection(property, of: group)
    }

    private func page(of group: Int) throws(StoreError) -> ColumnPage? {
        let column = try column(of: group)
        return part == .keys ? column.keys : column.elements
    }

    /// Returns the elements of inline collections, one collection after another.
    private func elements(of pieces: [ElementRange]) throws(StoreError) -> ColumnVector {
        var vector = ColumnVector(kind: kind)
        guard let first = pieces.first else { return vector }
        let last = pieces[pieces.count - 1]
        if pieces.allSatisfy({ $0.group == first.group }) {
            guard let page = try page(of: first.group) else { return vector }
            let count = pieces.reduce(0) { $0 + $1.count }
            let isRun = zip(pieces, pieces.dropFirst())
                .allSatisfy { Int($0.start) + $0.count == Int($1.start) }
            let end = Int(last.start) + last.count
            if isRun, Int(first.start) + count == end {
                page.decode(Int(first.start)..<end, into: &vector)
                return vector
            }
        }
        var references: [RowReference] = []
        for piece in pieces {
            let group = UInt32(truncatingIfNeeded: piece.group)
            for offset in 0..<UInt32(truncatingIfNeeded: piece.count) {
                references.append(RowReference(group: group, row: piece.start + offset))
            }
        }
        return try batch.source.gathered(vector, of: BatchRows(references)) {
            group, rows, vector throws(StoreError) in
            guard let page = try page(of: group) else { return }
            rows.withUnsafeBufferPointer { page.gather($0, into: &vector) }
        }
    }

    private func large(_ range: ElementRange) throws(StoreError) -> ColumnVector {
        var vector = ColumnVector(of: property.type)
        try column(of: range.group).append([range.row], into: &vector)
        return vector
    }

    private func visitLarge(
        _ range: ElementRange, _ owner: UInt32, _ body: PathEvaluator.Chunk
    ) throws(StoreError) {
        let whole = try large(range)
        let values = whole.children[part == .keys ? 1 : 0]
        var start = 0
        while start < values.count {
            let end = min(values.count, start + PathEvaluator.chunkCountMax)
            var chunk = ColumnVector(kind: values.kind)
            let rows = (start..<end).map { UInt32(truncatingIfNeeded: $0) }
            chunk.append(values, rows: rows[...])
            try body([UInt32](repeating: owner, count: chunk.count), chunk)
            start = end
        }
    }
}
