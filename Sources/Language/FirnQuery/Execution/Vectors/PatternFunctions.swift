import FirnCodec
import FirnEngine
import FirnSyntax
import FirnValues

/// Functions that find the matches of a regular expression in texts.
struct PatternFunctions {
    let vectors: [ColumnVector]
    let arguments: [BoundExpression]
    let count: Int
    /// Ends the query if the caller has cancelled it.
    let checkStopped: () throws(StoreError) -> Void

    /// The size of the texts of a batch, beyond which further results are null.
    private static let byteCountMax = 1 << 30
    private static let rowsPerCheck = 64
    private static let matchesPerCheck = 16

    /// - Complexity: O(length of the texts) for `extract`. For `substitute`, each match is searched
    ///   for from the end of the previous one, and a search may read all of the rest to prefer a
    ///   longer match.
    func values(_ function: ScalarFunction) throws(StoreError) -> ColumnVector {
        var result = ColumnVector(kind: .string)
        // The binder has checked the pattern.
        guard let text = arguments[1].constantText, let search = try? PatternSearch(text) else {
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
        result.offsets.reserveCapacity(count + 1)
        try vectors[0].bytes.withUnsafeBufferPointer { bytes throws(StoreError) in
            for row in 0..<count {
                let start = result.bytes.count
                guard !nulls.isNull(row), start <= Self.byteCountMax else {
                    result.appendNull()
                    continue
                }
                if row % Self.rowsPerCheck == 0 { try checkStopped() }
                let place = Int(vectors[0].offsets[row])..<Int(vectors[0].offsets[row + 1])
                let text = UnsafeBufferPointer(rebasing: bytes[place])
                let exists =
                    if let replacement {
                        try replace(text, search, replacement, &result.bytes)
                    } else {
                        Self.extract(text, search, group, &result.bytes)
                    }
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
        _ text: UnsafeBufferPointer<UInt8>, _ search: PatternSearch, _ group: Int,
        _ result: inout [UInt8]
    ) -> Bool {
        guard search.firstMatch(in: text) != nil, let place = search.place(of: group) else {
            return false
        }
        result.append(contentsOf: UnsafeBufferPointer(rebasing: text[place]))
        return true
    }

    /// Appends the text with all matches replaced; returns whether it is not too long.
    private func replace(
        _ text: UnsafeBufferPointer<UInt8>, _ search: PatternSearch,
        _ replacement: MatchReplacement, _ result: inout [UInt8]
    ) throws(StoreError) -> Bool {
        func append(_ range: Range<Int>) {
            result.append(contentsOf: UnsafeBufferPointer(rebasing: text[range]))
        }
        let start = result.count
        var position = 0
        var matchCount = 0
        while position <= text.count {
            matchCount += 1
            if matchCount % Self.matchesPerCheck == 0 { try checkStopped() }
            guard let match = search.firstMatch(in: text, from: position) else { break }
            append(position..<match.lowerBound)
            for part in replacement.parts {
                switch part {
                case .text(let bytes): result += bytes
                case .group(let number):
                    if let place = search.place(of: number) { append(place) }
                }
                if result.count - start > Self.byteCountMax { return false }
            }
            position = match.upperBound
            if match.isEmpty {
                // The next match begins after the character here.
                var end = min(position + 1, text.count)
                while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
                append(position..<end)
                position = position == text.count ? text.count + 1 : end
            }
        }
        if position < text.count { append(position..<text.count) }
        return true
    }
}
