import FirnCodec
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("Counted trees")
struct TreeTests {
    /// Ascending entries: every third number, each up to three times.
    static func sample(_ count: Int) -> [TreeEntry] {
        (0..<count).map { index in
            TreeEntry(key: key(index / 3 * 3), value: Array("value \(index)".utf8))
        }
    }

    static func key(_ number: Int) -> [UInt8] { Array("key \(String(100_000 + number))".utf8) }

    @Test("A tree finds entries by rank, key and prefix", arguments: [0, 1, 2, 40, 3000])
    func searches(count: Int) throws {
        let fixture = try TreeFixture()
        let entries = TreeTests.sample(count)
        let built = try fixture.build(entries, nodeByteCount: 256)
        try fixture.expectSound(built, "count \(count)")
        let tree = fixture.coldTree(built.root)
        #expect(tree.count == UInt64(count))
        #expect(try tree.entries() == entries)
        for number in stride(from: -1, to: count + 3, by: max(1, count / 60)) {
            let key = TreeTests.key(number)
            let lower = entries.firstIndex { !$0.key.lexicographicallyPrecedes(key) } ?? count
            let upper = entries.firstIndex { key.lexicographicallyPrecedes($0.key) } ?? count
            #expect(try tree.lowerBound(key) == UInt64(lower), "\(number)")
            #expect(try tree.upperBound(key) == UInt64(upper), "\(number)")
            #expect(
                try tree.value(forKey: key) == entries.first { $0.key == key }?.value, "\(number)")
            let prefix = Array(key.dropLast())
            let expected = entries.indices.filter { entries[$0].key.starts(with: prefix) }
            let ranks = try tree.ranks(withPrefix: prefix)
            #expect(ranks.count == expected.count)
            if let first = expected.first { #expect(ranks.lowerBound == UInt64(first)) }
            if number >= 0, number < count {
                #expect(try tree.entry(at: UInt64(number)) == entries[number])
            }
        }
        #expect(throws: StoreError.self) { try tree.entry(at: UInt64(count)) }
    }

    @Test("A range reads only its own leaves")
    func readsLittle() throws {
        let fixture = try TreeFixture()
        let entries = TreeTests.sample(3000)
        let built = try fixture.build(entries, nodeByteCount: 256)
        let tree = fixture.coldTree(built.root)
        #expect(try tree.entries(in: 1000..<1020) == Array(entries[1000..<1020]))
        let pageCount = tree.pages.counters.current.pages
        #expect(pageCount < 12, "20 entries took \(pageCount) pages")
    }

    @Test("Long entries have a node of their own, and entries beyond the limit are refused")
    func longEntries() throws {
        let fixture = try TreeFixture()
        var generator = SplitMix64(seed: 11)
        let entries = (0..<6).map { index in
            TreeEntry(
                key: [UInt8(index)] + generator.bytes(index * 20_000),
                value: generator.bytes((5 - index) * 40_000))
        }
        let tree = try fixture.build(entries, nodeByteCount: TreeNode.byteCountTarget)
        try fixture.expectSound(tree, "long entries")
        #expect(try fixture.coldTree(tree.root).entries() == entries)
        var rewriter = TreeRewriter(tree)
        let root = try rewriter.apply(
            [TreeSplice(ranks: 2..<3, entries: [entries[2], entries[2]])], to: &fixture.writer)
        #expect(
            try fixture.tree(root).entries()
                == Array(entries[0...2]) + Array(entries[2...]))
        try fixture.expectSound(fixture.tree(root), "long entries, edited")
        let tooLong = TreeEntry(
            key: [9], value: [UInt8](repeating: 0, count: TreeContent.entryByteCountMax))
        let error = #expect(throws: StoreError.self) {
            try fixture.build([tooLong], nodeByteCount: TreeNode.byteCountTarget)
        }
        #expect(error?.code == .limitExceeded)
        let longest = TreeEntry(
            key: [9], value: [UInt8](repeating: 7, count: TreeContent.entryByteCountMax - 1))
        let largest = try fixture.build([longest], nodeByteCount: TreeNode.byteCountTarget)
        #expect(try fixture.coldTree(largest.root).entry(at: 0) == longest)
    }

    @Test("A builder and an edit refuse unordered entries")
    func order() throws {
        let fixture = try TreeFixture()
        let entries = TreeTests.sample(100)
        #expect(throws: StoreError.self) {
            try fixture.build(entries.reversed(), nodeByteCount: 256)
        }
        let tree = try fixture.build(entries, nodeByteCount: 256)
        for rank in [UInt64(0), 50, 99] {
            var rewriter = TreeRewriter(tree, nodeByteCount: 256)
            let wrong = rank == 0 ? TreeTests.key(98) : TreeTests.key(0)
            #expect(throws: StoreError.self) {
                try rewriter.apply(
                    [TreeSplice(ranks: rank..<(rank + 1), entries: [TreeEntry(key: wrong)])],
                    to: &fixture.writer)
            }
        }
        var rewriter = TreeRewriter(tree, nodeByteCount: 256)
        #expect(throws: StoreError.self) {
            try rewriter.apply([TreeSplice(ranks: 99..<101, entries: [])], to: &fixture.writer)
        }
    }

    @Test("A root survives a round trip through the catalog")
    func rootCoding() throws {
        let fixture = try TreeFixture()
        let root = try #require(
            try fixture.build(TreeTests.sample(500), nodeByteCount: 256).root)
        var writer = ByteWriter()
        root.write(to: &writer)
        let read = try writer.bytes.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            let root = try TreeRoot(from: &reader)
            try reader.finish()
            return root
        }
        #expect(read == root)
    }
}
