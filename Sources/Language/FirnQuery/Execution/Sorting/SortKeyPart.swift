import FirnCodec
import FirnValues

/// The part of one sort key in the bytes of the keys of some rows.
///
/// A part is made column by column: a row is far from the next one in memory, and a loop that only
/// loads one value per row lets the processor wait for several of them at once.
struct SortKeyPart {
    private typealias Text = UnsafeBufferPointer<UInt8>

    /// The size of the end of a string, 0 0.
    private static let endByteCount = 2

    private let codes: [UInt64]
    /// The tail of each row if it is a text, without its terminator.
    ///
    /// A row with an exact code has none, and there are no elements if all codes are exact.
    private var texts: [Text] = []
    /// The tail of each row if it is a number or a date, also without its terminator.
    private var numbers: [[UInt8]] = []
    /// The size of each row's part.
    private(set) var sizes: [Int]
    private let isDescending: Bool
    /// Whether tails are strings or data, which have a terminator.
    private let isEnded: Bool

    /// - Parameter rows: the rows, which must exist until the part is written.
    init(_ column: Int, of indices: ArraySlice<UInt32>, _ rows: SortRows) {
        let key = rows.columns[column]
        isDescending = key.key.descending
        isEnded = key.kind == .string || key.kind == .data
        codes = key.codes.withUnsafeBufferPointer { codes in indices.map { codes[Int($0)] } }
        sizes = Array(repeating: SortKeyBytes.codeByteCount, count: indices.count)
        guard !key.areExact else { return }
        for (row, index) in indices.enumerated() {
            let isExact = key.isExact(codes[row])
            if key.kind.isOrderedByBytes {
                let text = rows.text(column, Int(index))
                texts.append(
                    isExact
                        ? Text(rebasing: text.prefix(0))
                        : Text(rebasing: text.dropFirst(isEnded ? SortCode.textByteCount : 0)))
            } else {
                numbers.append(isExact ? [] : Self.bytes(of: rows.value(column, Int(index))))
            }
        }
        for row in sizes.indices where !key.isExact(codes[row]) { sizes[row] += tailByteCount(row) }
    }

    private func tailByteCount(_ row: Int) -> Int {
        guard !texts.isEmpty else { return numbers[row].count }
        guard isEnded else { return texts[row].count }
        var count = texts[row].count + Self.endByteCount
        for byte in texts[row] where byte == 0 { count += 1 }
        return count
    }

    /// Returns the bytes of a number or a date, which sort like the values.
    private static func bytes(of value: Value) -> [UInt8] {
        switch value {
        case .int(let number): bytes(number)
        case .date(let date):
            bytes(date.seconds) + withUnsafeBytes(of: date.nanoseconds.bigEndian) { [UInt8]($0) }
        default: []
        }
    }

    private static func bytes(_ number: Int64) -> [UInt8] {
        let unsigned = UInt64(bitPattern: number) ^ (1 << 63)
        return withUnsafeBytes(of: unsigned.bigEndian) { [UInt8]($0) }
    }

    // MARK: Writing

    /// Writes the part of each row at its position, and advances the positions.
    func write(to keys: UnsafeMutableBufferPointer<UInt8>, at positions: inout [Int]) {
        for row in codes.indices {
            let start = positions[row] + SortKeyBytes.codeByteCount
            UnsafeMutableRawBufferPointer(keys).storeBytes(
                of: codes[row].bigEndian, toByteOffset: positions[row], as: UInt64.self)
            positions[row] += sizes[row]
            guard start < positions[row] else { continue }
            let tail = UnsafeMutableBufferPointer(rebasing: keys[start..<positions[row]])
            writeTail(row, to: tail)
            if isDescending {
                for index in tail.indices { tail[index] = ~tail[index] }
            }
        }
    }

    private func writeTail(_ row: Int, to tail: UnsafeMutableBufferPointer<UInt8>) {
        guard !texts.isEmpty else {
            _ = tail.update(fromContentsOf: numbers[row])
            return
        }
        let text = texts[row]
        guard isEnded else {
            _ = tail.update(fromContentsOf: text)
            return
        }
        var position = 0
        if tail.count == text.count + Self.endByteCount {
            position = tail.update(fromContentsOf: text)
        } else {
            for byte in text {
                tail[position] = byte
                position += 1
                guard byte == 0 else { continue }
                tail[position] = 1
                position += 1
            }
        }
        tail[position] = 0
        tail[position + 1] = 0
    }
}
