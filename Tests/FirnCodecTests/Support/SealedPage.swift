import FirnCodec
import FirnValues

/// The bytes of a page as in a file, and the facts that its parent stores about it.
struct SealedPage {
    var bytes: [UInt8]
    let kind: ValueTag
    let rowCount: Int
    let headByteCount: Int
    let seed: UInt64
    var headChecksum: UInt64

    init(_ page: EncodedPage, seed: UInt64 = 7) {
        var bytes = [UInt8](repeating: 0, count: page.byteCount)
        headChecksum = bytes.withUnsafeMutableBytes { page.seal(into: $0, seed: seed) }
        self.bytes = bytes
        kind = page.kind
        rowCount = page.rowCount
        headByteCount = page.headByteCount
        self.seed = seed
    }

    func decode() throws(CodecError) -> ColumnPage {
        let result = bytes.withUnsafeBytes { bytes -> Result<ColumnPage, CodecError> in
            do throws(CodecError) {
                return .success(
                    try ColumnPage.decode(
                        bytes, kind: kind, rowCount: rowCount, seed: seed,
                        headByteCount: headByteCount, headChecksum: headChecksum))
            } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Recomputes all checksums, as an attacker would after a change.
    ///
    ///     head: ... u32 blocks at 16, u32 parameter bytes at 20, parameters at 24, directory
    mutating func reseal() {
        let head = min(headByteCount, bytes.count)
        bytes.withUnsafeMutableBytes { bytes in
            guard head >= 24 else { return }
            let parameters = Int(bytes.loadUnaligned(fromByteOffset: 20, as: UInt32.self))
            var entry = 24 + parameters
            var offset = head
            var block: UInt64 = 0
            while entry + 12 <= head {
                let word = bytes.loadUnaligned(fromByteOffset: entry, as: UInt32.self)
                let stored = Int(word & 0x7FFF_FFFF)
                guard offset + stored <= bytes.count else { break }
                let slice = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + stored])
                let sum = Checksum.xxh64(slice, seed: seed &+ 1 &+ block)
                bytes.storeBytes(of: sum, toByteOffset: entry + 4, as: UInt64.self)
                entry += 12
                offset += stored
                block += 1
            }
        }
        headChecksum = bytes[..<head].withUnsafeBytes { Checksum.xxh64($0, seed: seed) }
    }
}

/// A digest of everything that a page answers; two identical pages have the same.
func exercise(_ page: ColumnPage, tests: [ColumnTest]) -> [Value] {
    var values = (0..<page.rowCount).map { page.value(at: $0) }
    var vector = ColumnVector(kind: page.kind)
    page.decode(0..<page.rowCount, into: &vector)
    let rows = (0..<UInt32(page.rowCount)).reversed()
    Array(rows).withUnsafeBufferPointer { page.gather($0, into: &vector) }
    values += (0..<vector.count).map { vector.value(at: $0) }
    for test in tests {
        var bitmap = Bitmap(count: page.rowCount)
        page.filter(test, into: &bitmap)
        values.append(.int(Int64(bitmap.population)))
        let summary = page.summarize(bitmap)
        values.append(.int(Int64(summary.count)))
        values += [summary.minimum ?? .null, summary.maximum ?? .null]
        values += (page.firstOccurrences(in: bitmap) ?? []).map(\.value)
    }
    return values
}
