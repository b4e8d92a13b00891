import FirnCodec
import FirnSyntax
import FirnValues

/// Functions of texts.
///
/// Characters are Unicode scalars, as in patterns. A text of ASCII, where bytes are characters, takes
/// a shorter way.
struct TextFunctions {
    let vectors: [ColumnVector]
    let count: Int

    /// The size of the texts of a batch, beyond which further results are null.
    private static let byteCountMax = 1 << 30

    func values(_ function: ScalarFunction) -> ColumnVector {
        switch function {
        case .length: lengths()
        case .upper:
            mapped {
                $0.uppercased()
            } ascii: {
                $0 &- 0x61 < 26 ? $0 & 0xDF : $0
            }
        case .lower:
            mapped {
                $0.lowercased()
            } ascii: {
                $0 &- 0x41 < 26 ? $0 | 0x20 : $0
            }
        case .trim: texts { row, result in self.trim(row, &result) }
        case .concat: texts { row, result in self.concatenate(row, &result) }
        case .replace: texts { row, result in self.replace(row, &result) }
        case .substring: texts { row, result in self.substring(row, &result) }
        default: texts { row, result in self.split(row, &result) }
        }
    }

    private func range(_ vector: Int, _ row: Int) -> Range<Int> {
        Int(vectors[vector].offsets[row])..<Int(vectors[vector].offsets[row + 1])
    }

    /// Computes one text per row.
    ///
    /// - Parameter body: appends the text of a row; returns whether it exists.
    @inline(__always)
    private func texts(_ body: (_ row: Int, _ result: inout [UInt8]) -> Bool) -> ColumnVector {
        var result = ColumnVector(kind: .string)
        result.offsets.reserveCapacity(count + 1)
        let nulls = ColumnVector(zeros: .bool, count: count, nullsOf: vectors)
        for row in 0..<count {
            let start = result.bytes.count
            if nulls.isNull(row) || start > Self.byteCountMax || !body(row, &result.bytes) {
                result.bytes.removeLast(result.bytes.count - start)
                result.appendNull()
            } else {
                result.offsets.append(UInt32(truncatingIfNeeded: result.bytes.count))
                result.count += 1
            }
        }
        return result
    }

    private func text(_ vector: Int, _ row: Int) -> String {
        String(decoding: vectors[vector].bytes[range(vector, row)], as: UTF8.self)
    }

    private func isASCII(_ row: Int) -> Bool {
        vectors[0].bytes[range(0, row)].allSatisfy { $0 < 0x80 }
    }

    // MARK: Functions

    private func lengths() -> ColumnVector {
        var result = ColumnVector(zeros: .int, count: count, nullsOf: vectors)
        let isData = vectors[0].kind == .data
        for row in 0..<count where !vectors[0].isNull(row) {
            let bytes = vectors[0].bytes[range(0, row)]
            result.ints[row] = Int64(isData ? bytes.count : Self.characterCount(bytes))
        }
        return result
    }

    @inline(__always)
    private func mapped(
        _ whole: (String) -> String, ascii: (UInt8) -> UInt8
    ) -> ColumnVector {
        texts { row, result in
            if self.isASCII(row) {
                for index in self.range(0, row) {
                    result.append(ascii(self.vectors[0].bytes[index]))
                }
            } else {
                result.append(contentsOf: whole(self.text(0, row)).utf8)
            }
            return true
        }
    }

    private func trim(_ row: Int, _ result: inout [UInt8]) -> Bool {
        if isASCII(row) {
            let bytes = vectors[0].bytes[range(0, row)]
            let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 &- 9 < 5 }
            let start = bytes.firstIndex { !isBlank($0) } ?? bytes.endIndex
            let end = bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start
            result.append(contentsOf: bytes[start..<end])
            return true
        }
        let text = text(0, row).unicodeScalars
        guard let first = text.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = text.lastIndex(where: { !$0.properties.isWhitespace })
        else { return true }
        result.append(contentsOf: String(text[first...last]).utf8)
        return true
    }

    private func concatenate(_ row: Int, _ result: inout [UInt8]) -> Bool {
        for index in vectors.indices {
            result.append(contentsOf: vectors[index].bytes[range(index, row)])
        }
        return true
    }

    private func replace(_ row: Int, _ result: inout [UInt8]) -> Bool {
        let text = range(0, row)
        let old = range(1, row)
        guard !old.isEmpty else {
            result.append(contentsOf: vectors[0].bytes[text])
            return true
        }
        var position = text.lowerBound
        while let found = find(old, row: row, from: position) {
            result.append(contentsOf: vectors[0].bytes[position..<found])
            result.append(contentsOf: vectors[2].bytes[range(2, row)])
            position = found + old.count
            if result.count > 2 * Self.byteCountMax { return false }
        }
        result.append(contentsOf: vectors[0].bytes[position..<text.upperBound])
        return true
    }

    /// Returns the next position of a part of the second text in the first one.
    private func find(_ part: Range<Int>, row: Int, from start: Int) -> Int? {
        let end = range(0, row).upperBound - part.count
        guard start <= end else { return nil }
        return vectors[0].bytes.withUnsafeBufferPointer { bytes in
            vectors[1].bytes.withUnsafeBufferPointer { other in
                (start...end).first { position in
                    var offset = 0
                    while offset < part.count,
                        bytes[position + offset] == other[part.lowerBound + offset]
                    { offset += 1 }
                    return offset == part.count
                }
            }
        }
    }

    /// Appends the part between separators with an index, which counts from the end if negative.
    private func split(_ row: Int, _ result: inout [UInt8]) -> Bool {
        let text = range(0, row)
        let separator = range(1, row)
        var index = vectors[2].ints[row]
        guard !separator.isEmpty else {
            guard index == 0 || index == -1 else { return false }
            result.append(contentsOf: vectors[0].bytes[text])
            return true
        }
        if index < 0 {
            var partCount: Int64 = 1
            var position = text.lowerBound
            while let found = find(separator, row: row, from: position) {
                partCount += 1
                position = found + separator.count
            }
            let (sum, overflow) = index.addingReportingOverflow(partCount)
            guard !overflow, sum >= 0 else { return false }
            index = sum
        }
        var position = text.lowerBound
        while true {
            let found = find(separator, row: row, from: position)
            if index == 0 {
                result.append(
                    contentsOf: vectors[0].bytes[position..<(found ?? text.upperBound)])
                return true
            }
            guard let found else { return false }
            index -= 1
            position = found + separator.count
        }
    }

    /// Appends the characters from an index on, which counts from the end if negative.
    private func substring(_ row: Int, _ result: inout [UInt8]) -> Bool {
        let start = vectors[1].ints[row]
        let length = vectors.count > 2 ? vectors[2].ints[row] : Int64.max
        guard length >= 0 else { return false }
        let bytes = vectors[0].bytes[range(0, row)]
        let characterCount = Self.characterCount(bytes)
        let part = Self.part(start, length, of: characterCount)
        if characterCount == bytes.count {
            result.append(contentsOf: bytes.dropFirst(part.lowerBound).prefix(part.count))
            return true
        }
        var index = -1
        for byte in bytes {
            if Self.beginsCharacter(byte) { index += 1 }
            if part.contains(index) { result.append(byte) }
        }
        return true
    }

    private static func characterCount(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 + (beginsCharacter($1) ? 1 : 0) }
    }

    /// Returns whether a byte of UTF-8 is the first byte of a character.
    @inline(__always)
    private static func beginsCharacter(_ byte: UInt8) -> Bool { byte & 0xC0 != 0x80 }

    private static func part(_ start: Int64, _ length: Int64, of count: Int) -> Range<Int> {
        let count64 = Int64(count)
        let first =
            start < 0 ? max(0, start >= -count64 ? count64 + start : 0) : min(start, count64)
        let last = min(count64, first.addingReportingOverflow(min(length, count64)).partialValue)
        return Int(first)..<Int(last)
    }
}
