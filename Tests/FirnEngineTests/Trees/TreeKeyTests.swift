import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("Keys of trees")
struct TreeKeyTests {
    @Test("Keys sort like their values")
    func order() throws {
        var random = SplitMix64(seed: 4)
        var kinds: [[Value]] = [[], [], [], []]
        let edges: [Int64] = [.min, .min + 1, -256, -255, -1, 0, 1, 255, 256, .max - 1, .max]
        kinds[0] = edges.map { .int($0) }
        let texts = ["", "a", "a\u{0}", "aa", "ab", "b", "é", "e\u{301}", "zzzzzzzzz", "zzzzzzzz"]
        kinds[1] = texts.map { .string($0) } + [.string("\u{10FFFF}"), .string("\u{FFFF}")]
        for _ in 0..<60 {
            kinds[0].append(.int(Int64(bitPattern: random.next() >> (random.next() % 64))))
            kinds[1].append(.string(String(random.next() % 5000, radix: 36)))
            kinds[2].append(.uuid(UUID(high: random.next() % 3, low: random.next())))
            kinds[3].append(
                .objectID(
                    ObjectID(
                        high: random.next() % 3, low: UInt32(truncatingIfNeeded: random.next()))))
        }
        for values in kinds {
            for left in values {
                for right in values {
                    for mayBeNull in [false, true] {
                        let keys = try (
                            #require(TreeKey.primary(left, mayBeNull: mayBeNull)),
                            #require(TreeKey.primary(right, mayBeNull: mayBeNull))
                        )
                        #expect(
                            KeyOrder.order(keys.0, keys.1) == left.order(relativeTo: right),
                            "\(left) \(right)")
                    }
                }
            }
        }
        #expect(TreeKey.primary(.double(1), mayBeNull: false) == nil)
        #expect(TreeKey.primary(.double(1), mayBeNull: true) == nil)
        #expect(TreeKey.primary(.null, mayBeNull: false) == nil)
    }

    @Test("An optional key sorts nil before all other values, even the empty string")
    func null() throws {
        let null = try #require(TreeKey.primary(.null, mayBeNull: true))
        for value in [Value.string(""), .string("\u{0}"), .int(.min), .uuid(UUID(high: 0, low: 0))]
        {
            let key = try #require(TreeKey.primary(value, mayBeNull: true))
            #expect(KeyOrder.order(null, key) == .less)
        }
    }

    @Test("Keys of links round-trip, and sort by target, then by source")
    func links() {
        let target = ObjectReference(classID: ClassID(7), rowID: RowID(1 << 40))
        let key = TreeKey.link(target: target, source: RowID(259))
        #expect(key.count == 20)
        #expect(key.starts(with: TreeKey.linkPrefix(target: target)))
        key.withUnsafeBytes { bytes in
            let decoded = TreeKey.link(decoding: bytes)
            #expect(decoded?.target == target)
            #expect(decoded?.source == RowID(259))
            #expect(TreeKey.link(decoding: UnsafeRawBufferPointer(rebasing: bytes[..<19])) == nil)
        }
        let later = TreeKey.link(target: target, source: RowID(260))
        #expect(KeyOrder.order(key, later) == .less)
    }

    @Test("Each prefix has a successor unless it is all ones")
    func successors() {
        #expect(TreeKey.successor(ofPrefix: [1, 0xFF, 0xFF]) == [2])
        #expect(TreeKey.successor(ofPrefix: [1, 2]) == [1, 3])
        #expect(TreeKey.successor(ofPrefix: [0xFF]) == nil)
        #expect(TreeKey.successor(ofPrefix: []) == nil)
    }
}
