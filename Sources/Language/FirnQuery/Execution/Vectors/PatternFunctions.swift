import FirnCodec
import FirnValues

/// Functions that find the matches of a regular expression in texts.
struct PatternFunctions {
    let vectors: [ColumnVector]
    let arguments: [BoundExpression]
    let count: Int

    /// The size of the texts of a batch, beyond which further results are null.
    private static let byteCountMax = 1 << 30

    func values(_ function: BoundExpression.Function) -> ColumnVector {
        var result = ColumnVector(kind: .string)
        // The binder has checked the pattern.
        guard let text = arguments[1].constantText, var search = try? PatternSearch(text) else {
            for _ in 0..<count { result.appendNull() }
            return result
        }
        var group = 0
        if arguments.count > 2, case .constant(.int(let number)) = arguments[2] {
            group = Int(clamping: number)
        }
        let replacement =
            function == .substitute
            ? arguments[2].constantText.flatMap { MatchReplacement($0) } : nil
        let nulls = ColumnVector(zeros: .bool, count: count, nullsOf: vectors)
        vectors[0].bytes.withUnsafeBufferPointer { bytes in
            for row in 0..<count {
                let start = result.bytes.count
                let place = Int(vectors[0].offsets[row])..<Int(vectors[0].offsets[row + 1])
                let text = UnsafeBufferPointer(rebasing: bytes[place])
                let exists =
                    if nulls.isNull(row) || start > Self.byteCountMax {
                        false
                    } else if let replacement {
                        Self.replace(text, &search, replacement, &result.bytes)
                    } else { Self.extract(text, &search, group, &result.bytes) }
                guard exists else {
                    result.bytes.removeLast(result.bytes.count - start)
                    result.appendNull()
                    continue
                }
                result.offsets.append(UInt32(truncatingIfNeeded: result.bytes.count))
                result.count += 1
            }
        }
        return result
    }

    /// Appends a group of the first match; returns whether there is one.
    private static func extract(
        _ text: UnsafeBufferPointer<UInt8>, _ search: inout PatternSearch, _ group: Int,
        _ result: inout [UInt8]
    ) -> Bool {
        guard let match = search.firstMatch(in: text), match.indices.contains(group),
            let place = match[group]
        else { return false }
        result.append(contentsOf: text[place])
        return true
    }

    /// Appends the text with all matches replaced; returns whether it is not too long.
    private static func replace(
        _ text: UnsafeBufferPointer<UInt8>, _ search: inout PatternSearch,
        _ replacement: MatchReplacement, _ result: inout [UInt8]
    ) -> Bool {
        var position = 0
        while position <= text.count, let match = search.firstMatch(in: text, from: position),
            let whole = match[0]
        {
            result.append(contentsOf: text[position..<whole.lowerBound])
            for part in replacement.parts {
                switch part {
                case .text(let bytes): result.append(contentsOf: bytes)
                case .group(let number):
                    if let place = match[number] { result.append(contentsOf: text[place]) }
                }
            }
            position = whole.upperBound
            if whole.isEmpty {
                // The next match begins after the character here.
                var end = min(position + 1, text.count)
                while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
                result.append(contentsOf: text[position..<end])
                position = position == text.count ? text.count + 1 : end
            }
            if result.count > 2 * byteCountMax { return false }
        }
        if position < text.count { result.append(contentsOf: text[position...]) }
        return true
    }
}
