import FirnTesting
import Testing

@testable import RealmFile

@Suite("Pages of Realm files in memory")
struct PageCacheTests {
    /// Pages of 8 bytes whose reads are counted.
    private final class CountedPages: PageProvider {
        let content: [UInt8]
        var reads: [UInt64] = []
        let pageSize = 8
        var size: UInt64 { UInt64(content.count) }

        init(_ count: Int) { content = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) } }

        func read(
            at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
        ) throws(RealmFileError) {
            reads.append(offset)
            buffer.copyBytes(from: content[Int(offset)..<Int(offset) + buffer.count])
        }
    }

    @Test("Any range returns the bytes of the content", arguments: TestScale.seeds(2))
    func ranges(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let pages = CountedPages(203)
        let cache = PageCache(pages, bytesMax: 40)
        for _ in 0..<500 {
            let start = Int.random(in: 0..<203, using: &generator)
            let count = Int.random(in: 0...203 - start, using: &generator)
            let read = try cache.bytes(at: UInt64(start), count: count)
            #expect(read.array == Array(pages.content[start..<start + count]), "seed \(seed)")
        }
    }

    @Test("A slice keeps its bytes after its page was evicted")
    func evicted() throws {
        let pages = CountedPages(200)
        let cache = PageCache(pages, bytesMax: 32)
        let first = try cache.bytes(at: 0, count: 8)
        for page in 1..<20 { _ = try cache.bytes(at: UInt64(page * 8), count: 8) }
        #expect(first.array == Array(pages.content[0..<8]))
        let before = pages.reads.count
        _ = try cache.bytes(at: 0, count: 8)
        #expect(pages.reads.count == before + 1)
    }

    /// The clock evicts it at most once: in the turn in which every page was used.
    @Test("A page that is used between all other pages stays in memory")
    func kept() throws {
        let pages = CountedPages(200)
        let cache = PageCache(pages, bytesMax: 32)
        for page in 1..<20 {
            _ = try cache.bytes(at: 0, count: 8)
            _ = try cache.bytes(at: UInt64(page * 8), count: 8)
        }
        #expect(pages.reads.filter { $0 == 0 }.count <= 2)
    }
}
