import FirnCodec
import FirnEngine
import FirnValues

/// A list of numbers on disk, from which short ranges are read.
struct SpilledNumbers: Sendable {
    /// The number of elements in a block; a range of a few elements reads one or two blocks.
    private static let blockCount = 512

    private let file: SpillFile
    private var blocks: [SpillFile.Block] = []
    /// The elements that have not been written yet.
    private var rest: [Int64] = []

    init(_ file: SpillFile) { self.file = file }

    /// The number of elements.
    var count: Int { blocks.count * Self.blockCount + rest.count }

    mutating func append(_ numbers: [Int64]) throws(StoreError) {
        rest += numbers
        var start = 0
        while rest.count - start >= Self.blockCount {
            blocks.append(try file.append([Self.vector(rest[start..<start + Self.blockCount])]))
            start += Self.blockCount
        }
        rest.removeFirst(start)
    }

    private static func vector(_ numbers: ArraySlice<Int64>) -> ColumnVector {
        var vector = ColumnVector(kind: .int)
        vector.ints = Array(numbers)
        vector.count = numbers.count
        return vector
    }

    /// Appends the elements of a range to an array.
    ///
    /// - Throws: ``StoreError`` with `corrupt` if there are no such elements, or `inputOutput`.
    func append(_ range: Range<Int>, to numbers: inout [Int64]) throws(StoreError) {
        guard range.lowerBound >= 0, range.upperBound <= count else { throw file.damaged }
        var next = range.lowerBound
        while next < range.upperBound {
            let block = next / Self.blockCount
            let offset = next % Self.blockCount
            let elements = block < blocks.count ? try elements(of: blocks[block]) : rest
            let end = min(elements.count, offset + range.upperBound - next)
            numbers += elements[offset..<end]
            next += end - offset
        }
    }

    private func elements(of block: SpillFile.Block) throws(StoreError) -> [Int64] {
        guard let vector = try file.vectors(of: block, [.int]).first,
            vector.ints.count == Self.blockCount
        else { throw file.damaged }
        return vector.ints
    }
}
