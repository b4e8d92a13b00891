import FirnValues

extension ColumnBuilder {
    /// Encodes values that are stored as bytes: as a dictionary if that is smaller before
    /// compression, otherwise as a heap.
    func stringBody(_ zone: inout ZoneMap) -> PageBody {
        guard strings.isInterned else {
            return heapBody(ends: strings.ends, bytes: strings.bytes, &zone)
        }
        let sorted = SortedEntries(strings.interner)
        if sorted.count == 1, sorted.byteCount <= CodecLimits.constantStringBytesMax {
            sorted.measure(&zone, kind: kind)
            return constant(sorted.value(0, kind: kind))
        }
        let lengths = LengthFrame(sorted.lengths)
        let codeWidth = BitPacking.width(of: UInt64(sorted.count - 1))
        let dictionaryBits =
            count * codeWidth + sorted.count * lengths.width + sorted.byteCount * 8
        let heapBits = count * lengths.width + strings.byteCount * 8
        guard dictionaryBits < heapBits else {
            let plain = strings.plain()
            return heapBody(ends: plain.ends, bytes: plain.bytes, &zone)
        }
        sorted.measure(&zone, kind: kind)
        var body = makeBody(
            .dictionary(
                PageParameters.DictionaryShape(
                    entryCount: sorted.count, codeWidth: codeWidth, lengths: lengths,
                    byteCount: sorted.byteCount)))
        let codes = strings.codes.map { code in
            code == StringCollector.nullCode ? 0 : UInt64(sorted.ranks[Int(code)])
        }
        body.appendRowCodes(codes, width: codeWidth)
        body.appendCodes(sorted.lengthCodes, width: lengths.width)
        sorted.appendBytes(to: &body)
        return body
    }

    private func heapBody(ends: [UInt32], bytes: [UInt8], _ zone: inout ZoneMap) -> PageBody {
        var codes = [UInt64](repeating: 0, count: count)
        var start: UInt32 = 0
        var shortest = UInt64.max
        var longest: UInt64 = 0
        for row in 0..<count {
            codes[row] = UInt64(ends[row] - start)
            longest = max(longest, codes[row])
            if !nulls[row] { shortest = min(shortest, codes[row]) }
            start = ends[row]
        }
        let lengths = LengthFrame(Int(min(shortest, longest))...Int(longest))
        if lengths.base > 0 {
            for row in 0..<count where !nulls[row] { codes[row] -= UInt64(lengths.base) }
        }
        bytes.withUnsafeBufferPointer { measure($0, ends, &zone) }
        var body = makeBody(.heap(lengths, byteCount: bytes.count))
        body.appendCodes(codes, width: lengths.width)
        bytes.withUnsafeBytes { body.appendBytes($0) }
        return body
    }

    private func measure(
        _ bytes: UnsafeBufferPointer<UInt8>, _ ends: [UInt32], _ zone: inout ZoneMap
    ) {
        if kind.isOrderedByBytes {
            var low: UnsafeBufferPointer<UInt8>?
            var high: UnsafeBufferPointer<UInt8>?
            visit(bytes, ends) { text in
                if low.map({ ByteStrings.order(text, $0) == .less }) ?? true { low = text }
                if high.map({ ByteStrings.order(text, $0) == .greater }) ?? true { high = text }
            }
            guard let low, let high else { return }
            zone.setBounds(
                minimum: Value(columnBytes: low, kind: kind),
                maximum: Value(columnBytes: high, kind: kind))
        } else if kind == .decimal128 {
            visit(bytes, ends) { zone.include(Value(columnBytes: $0, kind: kind)) }
        }
    }

    /// Calls `body` with the bytes of each row that is not null.
    @inline(__always)
    private func visit(
        _ bytes: UnsafeBufferPointer<UInt8>, _ ends: [UInt32],
        _ body: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        var start = 0
        for row in 0..<count {
            let end = Int(ends[row])
            defer { start = end }
            if nulls[row] { continue }
            body(UnsafeBufferPointer(rebasing: bytes[start..<end]))
        }
    }
}
