import FirnValues

extension ColumnBuilder {
    /// Dictionary, if it is smaller before compression, or heap.
    func stringBody(_ zone: inout ZoneMap) -> PageBody {
        guard strings.isInterned else {
            return heapBody(ends: strings.ends, bytes: strings.bytes, &zone)
        }
        let sorted = SortedEntries(strings.interner)
        if sorted.count == 1, sorted.byteCount <= CodecLimits.constantStringBytesMax {
            let value = Value.string(sorted.text(0))
            zone.setStrings(minimum: sorted.text(0), maximum: sorted.text(0))
            return makeBody(.constant(value))
        }
        let codeWidth = BitPacking.width(of: UInt64(sorted.count - 1))
        let lengthWidth = BitPacking.width(of: UInt64(sorted.longest))
        let dictionaryBits =
            count * codeWidth + sorted.count * lengthWidth + sorted.byteCount * 8
        let heapBits = count * lengthWidth + strings.byteCount * 8
        guard dictionaryBits < heapBits else {
            let plain = strings.plain()
            return heapBody(ends: plain.ends, bytes: plain.bytes, &zone)
        }
        zone.setStrings(minimum: sorted.text(0), maximum: sorted.text(sorted.count - 1))
        var body = makeBody(
            .dictionary(
                PageParameters.DictionaryShape(
                    entryCount: sorted.count, codeWidth: codeWidth, lengthWidth: lengthWidth,
                    byteCount: sorted.byteCount)))
        let codes = strings.codes.map { code in
            code == StringCollector.nullCode ? 0 : UInt64(sorted.ranks[Int(code)])
        }
        body.appendRowCodes(codes, width: codeWidth)
        body.appendCodes(sorted.lengths, width: lengthWidth)
        sorted.appendBytes(to: &body)
        return body
    }

    private func heapBody(ends: [UInt32], bytes: [UInt8], _ zone: inout ZoneMap) -> PageBody {
        var lengths = [UInt64](repeating: 0, count: count)
        var start: UInt32 = 0
        var longest: UInt64 = 0
        for row in 0..<count {
            lengths[row] = UInt64(ends[row] - start)
            longest = max(longest, lengths[row])
            start = ends[row]
        }
        bytes.withUnsafeBufferPointer { measure($0, ends, &zone) }
        let width = BitPacking.width(of: longest)
        var body = makeBody(.heap(lengthWidth: width, byteCount: bytes.count))
        body.appendCodes(lengths, width: width)
        bytes.withUnsafeBytes { body.appendBytes($0) }
        return body
    }

    private func measure(
        _ bytes: UnsafeBufferPointer<UInt8>, _ ends: [UInt32], _ zone: inout ZoneMap
    ) {
        var low: UnsafeBufferPointer<UInt8>?
        var high: UnsafeBufferPointer<UInt8>?
        var start = 0
        for row in 0..<count {
            let end = Int(ends[row])
            defer { start = end }
            if nulls[row] { continue }
            let text = UnsafeBufferPointer(rebasing: bytes[start..<end])
            if low.map({ ByteStrings.order(text, $0) == .less }) ?? true { low = text }
            if high.map({ ByteStrings.order(text, $0) == .greater }) ?? true { high = text }
        }
        guard let low, let high else { return }
        zone.setStrings(
            minimum: String(decoding: low, as: UTF8.self),
            maximum: String(decoding: high, as: UTF8.self))
    }
}

/// The distinct strings of a column in the order of their bytes, and the place of each in it.
private struct SortedEntries {
    private let interner: StringInterner
    /// Sorted place to entry.
    private let order: [UInt32]
    /// Entry to sorted place.
    let ranks: [UInt32]
    let longest: Int

    init(_ interner: StringInterner) {
        self.interner = interner
        let order = interner.bytes.withUnsafeBufferPointer { bytes in
            func text(_ entry: UInt32) -> UnsafeBufferPointer<UInt8> {
                let start = Int(interner.offsets[Int(entry)])
                return UnsafeBufferPointer(
                    rebasing: bytes[start..<Int(interner.offsets[Int(entry) + 1])])
            }
            return (0..<UInt32(interner.count)).sorted {
                ByteStrings.order(text($0), text($1)) == .less
            }
        }
        var ranks = [UInt32](repeating: 0, count: order.count)
        for (place, entry) in order.enumerated() { ranks[Int(entry)] = UInt32(place) }
        self.order = order
        self.ranks = ranks
        longest = order.reduce(0) { max($0, interner.length(Int($1))) }
    }

    var count: Int { order.count }
    var byteCount: Int { interner.bytes.count }
    var lengths: [UInt64] { order.map { UInt64(interner.length(Int($0))) } }

    private func range(_ place: Int) -> Range<Int> {
        let entry = Int(order[place])
        return Int(interner.offsets[entry])..<Int(interner.offsets[entry + 1])
    }

    func text(_ place: Int) -> String {
        String(decoding: interner.bytes[range(place)], as: UTF8.self)
    }

    func appendBytes(to body: inout PageBody) {
        for place in 0..<count { body.raw.append(contentsOf: interner.bytes[range(place)]) }
        body.pad()
    }
}
