import FirnValues

extension CodecError {
    /// The error for a column that is larger than a page can be.
    package static let fullPage = CodecError(
        .tooLarge,
        "the values of one property of neighbouring objects take more than "
            + "\(CodecLimits.pageRawBytesMax >> 20) MiB")
}

extension ColumnBuilder {
    /// Returns the page in its stored form, with its zone map.
    package func encode(_ level: CompressionLevel) throws(CodecError) -> EncodedPage {
        let (body, zone) = try body()
        let packed = EncodedPage(body, zone: zone, level: level)
        guard level != .none, let wide = body.realigned() else { return packed }
        let other = EncodedPage(wide, zone: zone, level: level)
        // Without a clear gain, the smaller body is used, because there is less to decompress.
        return other.byteCount < packed.byteCount / 16 * 15 ? other : packed
    }

    /// Returns the page in its form in memory, for values that are not on disk yet.
    package func makePage() throws(CodecError) -> ColumnPage {
        try ColumnPage(try body().body)
    }

    /// Returns the smallest of the encodings that suit the kind.
    private func body() throws(CodecError) -> (body: PageBody, zone: ZoneMap) {
        guard count <= CodecLimits.rowsPerPageMax, !strings.isTooLarge else {
            throw CodecError.fullPage
        }
        // A page that cannot be read must not be written.
        guard !kind.isStoredAsBytes || strings.areValid(kind, nulls) else {
            throw CodecError(.typeMismatch, "bytes that are not a valid \(kind.name)")
        }
        var zone = ZoneMap(rowCount: count, nullCount: nullCount)
        if nullCount == count { return (constant(.null), zone) }
        let body =
            switch kind {
            case .double, .float: doubleBody(&zone)
            case .string, .data, .uuid, .objectID, .decimal128, .any: stringBody(&zone)
            case .date where !nanoseconds.isEmpty: dateBody(&zone)
            default: integerBody(&zone)
            }
        guard body.raw.count <= CodecLimits.pageRawBytesMax else {
            throw CodecError.fullPage
        }
        return (body, zone)
    }

    func makeBody(_ parameters: PageParameters) -> PageBody {
        var body = PageBody(
            kind: kind, rowCount: count, nullCount: nullCount, parameters: parameters)
        body.appendNulls(nulls.words(rowCount: count))
        return body
    }

    func constant(_ value: Value) -> PageBody { makeBody(.constant(value)) }

    private func integerBody(_ zone: inout ZoneMap) -> PageBody {
        ints.withUnsafeBufferPointer { values in
            let statistics = IntegerStatistics(values, nulls)
            zone.minimum = PageContent.value(statistics.minimum, kind: kind)
            zone.maximum = PageContent.value(statistics.maximum, kind: kind)
            if statistics.minimum == statistics.maximum, let minimum = zone.minimum {
                return constant(minimum)
            }
            let frame = statistics.frame(values, nulls)
            let codes = codes(values, frame)
            if statistics.isAscending, kind != .bool,
                let body = ascendingBody(codes, frame)
            {
                return body
            }
            var body = makeBody(.packed(frame))
            body.appendRowCodes(codes, width: frame.width)
            return body
        }
    }

    /// Encodes the differences of codes, if they are at least a quarter narrower than the codes.
    private func ascendingBody(_ codes: [UInt64], _ frame: IntegerFrame) -> PageBody? {
        var deltas = codes
        var largest: UInt64 = 0
        for index in stride(from: codes.count - 1, to: 0, by: -1) {
            deltas[index] = codes[index] &- codes[index - 1]
            largest |= deltas[index]
        }
        let width = BitPacking.width(of: largest)
        guard width * 4 <= frame.width * 3 else { return nil }
        var body = makeBody(.ascending(frame, deltaWidth: width))
        body.appendRowCodes(deltas, width: width)
        return body
    }

    /// Returns the codes of integers in a frame.
    ///
    /// The code of a null is 0.
    func codes(_ values: UnsafeBufferPointer<Int64>, _ frame: IntegerFrame) -> [UInt64] {
        var codes = [UInt64](repeating: 0, count: values.count)
        let (base, step) = (frame.base, frame.step)
        if step == 1 {
            for index in 0..<values.count {
                codes[index] = UInt64(bitPattern: values[index] &- base)
            }
        } else {
            for index in 0..<values.count {
                codes[index] = UInt64(bitPattern: values[index] &- base) / step
            }
        }
        if !nulls.isEmpty {
            for index in 0..<values.count where nulls[index] { codes[index] = 0 }
        }
        return codes
    }

    private func dateBody(_ zone: inout ZoneMap) -> PageBody {
        var low = Timestamp(seconds: .max, nanoseconds: 999_999_999)
        var high = Timestamp(seconds: .min)
        for row in 0..<count where !nulls[row] {
            let value = Timestamp(seconds: ints[row], nanoseconds: Int64(nanoseconds[row]))
            low = min(low, value)
            high = max(high, value)
        }
        zone.minimum = .date(low)
        zone.maximum = .date(high)
        if low == high { return constant(.date(low)) }
        let wide = nanoseconds.map(Int64.init)
        return ints.withUnsafeBufferPointer { seconds in
            wide.withUnsafeBufferPointer { parts in
                let whole = IntegerStatistics(seconds, nulls).frame(seconds, nulls)
                let rest = IntegerStatistics(parts, nulls).frame(parts, nulls)
                var body = makeBody(.pairs(seconds: whole, nanoseconds: rest))
                body.appendCodes(codes(seconds, whole), width: whole.width)
                body.appendCodes(codes(parts, rest), width: rest.width)
                return body
            }
        }
    }
}
