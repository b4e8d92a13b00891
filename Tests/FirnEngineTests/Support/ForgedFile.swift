import FirnPlatform
import FirnTesting
import FirnValues

@testable import FirnCodec
@testable import FirnEngine

/// A database whose bytes can be changed with all checksums recomputed, as an attacker with
/// knowledge of the format would: the checksum of the changed bytes, then of the pages that refer
/// to them, up to the superblock.
///
/// The file must be written without compression, so that its checksums are stored unchanged.
struct ForgedFile {
    /// Bytes that a checksum covers, and the offsets at which that checksum is stored.
    private struct Seal {
        let covered: Range<Int>
        let seed: UInt64
        var places: [Int]
    }

    private(set) var bytes: [UInt8]
    private var seals: [Seal] = []
    /// The pages of the current root without the superblock: those worth changing.
    private(set) var pages: [Range<Int>] = []

    /// - Parameters:
    ///   - bytes: the bytes of the closed file.
    ///   - store: the same file, opened.
    init(_ bytes: [UInt8], _ store: Store) throws {
        self.bytes = bytes
        let superblock = try store.snapshot().root.superblock
        let references = try ForgedFile.references(store)
        var expected: [(covered: Range<Int>, seed: UInt64, checksum: UInt64)] = []
        for reference in references {
            let seed = PageReference.seed(fileID: superblock.fileID, start: reference.start)
            let start = Int(reference.byteOffset)
            let head = start..<start + Int(reference.headByteCount)
            let end = start + Int(reference.byteCount)
            pages.append(start..<end)
            expected.append((head, seed, reference.checksum))
            guard head.upperBound < end else { continue }
            let blocks = try Array(bytes[head]).withBytes { (raw) throws(CodecError) in
                try PageHead(raw, storedByteCount: end - head.upperBound).blocks
            }
            var offset = head.upperBound
            for (index, block) in blocks.enumerated() {
                let covered = offset..<offset + block.storedByteCount
                expected.append((covered, PageHead.seed(seed, block: index), block.checksum))
                offset = covered.upperBound
            }
        }
        let places = ForgedFile.places(of: Set(expected.map(\.checksum)), in: bytes)
        for (covered, seed, checksum) in expected {
            guard let found = places[checksum] else {
                throw TestFailure("no place holds the checksum of bytes \(covered)")
            }
            seals.append(Seal(covered: covered, seed: seed, places: found))
        }
        for copy in superblock.copies {
            let start = Int(Superblock.offset(ofCopy: copy))
            let end = start + Superblock.recordByteCount
            seals.append(
                Seal(covered: start..<end - 8, seed: UInt64(copy), places: [end - 8]))
        }
        pages.sort { $0.lowerBound < $1.lowerBound }
    }

    /// Everything that the current root and those before it lead to.
    private static func references(_ store: Store) throws -> Set<PageReference> {
        let current = try store.snapshot().root
        let superblock = current.superblock
        let history = try store.history(of: superblock)
        var references = [superblock.catalog, superblock.freeSpace, superblock.history]
            .compactMap { $0 }
        references += history.chunks.map(\.reference)
        references += history.roots.compactMap(\.catalog)
        let older = try history.roots.compactMap { try store.pin($0, of: superblock)?.root }
        for root in [current] + older {
            let tables = root.catalog.classes.map { Table(root: $0, store.pages) }
            references += try ExtentIndex(tables, in: 0..<superblock.fileByteCount)
                .entries.map(\.reference)
        }
        return Set(references)
    }

    private static func places(
        of checksums: Set<UInt64>, in bytes: [UInt8]
    ) -> [UInt64: [Int]] {
        var places: [UInt64: [Int]] = [:]
        var window: UInt64 = 0
        for (offset, byte) in bytes.enumerated() {
            window = window >> 8 | UInt64(byte) << 56
            if offset >= 7, checksums.contains(window) {
                places[window, default: []].append(offset - 7)
            }
        }
        return places
    }

    /// The file with some of its bytes changed, and every checksum recomputed.
    func changing(_ changes: [(offset: Int, byte: UInt8)]) -> [UInt8] {
        var result = bytes
        var touched: [Int] = []
        for change in changes where result.indices.contains(change.offset) {
            result[change.offset] = change.byte
            touched.append(change.offset)
        }
        // References form a tree that ends in the superblock, so this loop ends.
        while let offset = touched.popLast() {
            for seal in seals where seal.covered.contains(offset) {
                let checksum = Array(result[seal.covered]).withUnsafeBytes {
                    Checksum.xxh64($0, seed: seal.seed)
                }
                for place in seal.places {
                    for index in 0..<8 {
                        result[place + index] = UInt8(truncatingIfNeeded: checksum >> (index * 8))
                    }
                    touched.append(place)
                }
            }
        }
        return result
    }

    /// A few bytes of one page, or of a copy of the superblock, with values that could break a
    /// careless reader.
    func randomChanges(_ generator: inout SplitMix64) -> [(offset: Int, byte: UInt8)] {
        let isSuperblock = Int.random(in: 0..<20, using: &generator) == 0
        let page = pages.randomElement(using: &generator) ?? 0..<1
        return (0..<Int.random(in: 1...4, using: &generator)).map { _ in
            var offset = Int.random(in: page, using: &generator)
            if isSuperblock, let seal = seals.suffix(2).randomElement(using: &generator) {
                // After the name and number of the format, which other tests cover.
                offset = seal.covered.lowerBound + Int.random(in: 16..<208, using: &generator)
            } else if Bool.random(using: &generator) {
                // Heads and lengths are at the start.
                offset = min(page.lowerBound + Int.random(in: 0..<32, using: &generator), offset)
            }
            let old = bytes[offset]
            let byte =
                switch Int.random(in: 0..<5, using: &generator) {
                case 0: old ^ (1 << UInt8.random(in: 0..<8, using: &generator))
                case 1: UInt8.max
                case 2: UInt8.min
                case 3: old &+ 1
                default: UInt8.random(in: 0...255, using: &generator)
                }
            return (offset, byte)
        }
    }
}
