import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("Edits of a tree")
struct TreeRewriterTests {
    /// Equal keys: any order of values is valid, so that lists can be tested.
    private static func element(_ number: UInt64, length: Int) -> TreeEntry {
        TreeEntry(
            key: [1, 2, 3], value: Array("\(number) ".utf8) + [UInt8](repeating: 46, count: length))
    }

    @Test(
        "Edits of a tree have the same result as edits of an array, whatever the splices",
        arguments: 0..<8
    )
    func randomSplices(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let fixture = try TreeFixture()
        let nodeByteCount = [200, 400, 1000][Int(random.next() % 3)]
        var number: UInt64 = 0
        func fresh(_ count: Int) -> [TreeEntry] {
            (0..<count).map { _ in
                number += 1
                let length = random.happens(oneIn: 50) ? 1500 : Int(random.next() % 30)
                return TreeRewriterTests.element(number, length: length)
            }
        }
        var expected = fresh(Int(random.next() % 2000))
        var tree = try fixture.build(expected, nodeByteCount: nodeByteCount)
        for round in 0..<TestScale.scaled(16) {
            var splices: [TreeSplice] = []
            var rank = 0
            // Sometimes everything or long ranges are removed, so that the tree shrinks to nothing.
            let step = [3, 60, 2000][Int(random.next() % 3)]
            while rank <= expected.count, splices.count < 40 {
                let lower = rank + Int(random.next() % UInt64(step))
                guard lower <= expected.count else { break }
                let length = random.happens(oneIn: 4) ? step * 4 : Int(random.next() % 4)
                let upper = min(expected.count, lower + length)
                let count = random.happens(oneIn: 20) ? 300 : Int(random.next() % 5)
                splices.append(
                    TreeSplice(
                        ranks: UInt64(lower)..<UInt64(upper), entries: fresh(count)))
                rank = upper
                if random.happens(oneIn: 6) { break }
            }
            if random.happens(oneIn: 15) {
                splices = [TreeSplice(ranks: 0..<UInt64(expected.count), entries: [])]
            }
            var rewriter = TreeRewriter(tree, nodeByteCount: nodeByteCount)
            tree = fixture.tree(try rewriter.apply(splices, to: &fixture.writer))
            for splice in splices.reversed() {
                expected.replaceSubrange(
                    Int(splice.ranks.lowerBound)..<Int(splice.ranks.upperBound),
                    with: splice.entries)
            }
            #expect(tree.count == UInt64(expected.count), "seed \(seed) round \(round)")
            #expect(try tree.entries() == expected, "seed \(seed) round \(round)")
            try fixture.expectSound(tree, "seed \(seed) round \(round)")
        }
        try TreeRewriter(tree).freeAll(&fixture.writer)
        try fixture.expectSound(fixture.tree(nil), "seed \(seed), all freed")
    }

    /// The last leaf was removed as a whole, and the insertions after it were forgotten: a long
    /// list of a new object came back empty when the list of the object before it was deleted.
    @Test("Entries can be inserted after the last leaf was removed", arguments: [1, 2, 40])
    func removedEnd(count: Int) throws {
        let fixture = try TreeFixture()
        let entries = (0..<400).map { TreeRewriterTests.element(UInt64($0), length: 20) }
        let tree = try fixture.build(entries, nodeByteCount: 200)
        let added = (0..<count).map { TreeRewriterTests.element(UInt64(1000 + $0), length: 20) }
        for start in [0, 1, 200, 399] {
            var rewriter = TreeRewriter(tree, nodeByteCount: 200)
            let changed = fixture.tree(
                try rewriter.apply(
                    [
                        TreeSplice(ranks: UInt64(start)..<400, entries: []),
                        TreeSplice(ranks: 400..<400, entries: added),
                    ], to: &fixture.writer))
            #expect(try changed.entries() == Array(entries[..<start]) + added, "from \(start)")
        }
    }

    @Test("Edits by key have the same result as edits of a dictionary", arguments: 0..<4)
    func randomKeyEdits(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let fixture = try TreeFixture()
        var expected: [[UInt8]: [UInt8]] = [:]
        var tree = fixture.tree(nil)
        for round in 0..<TestScale.scaled(12) {
            var inserted: [[UInt8]: [UInt8]] = [:]
            var deleted: Set<[UInt8]> = []
            for _ in 0..<(random.next() % 200) {
                let key = TreeTests.key(Int(random.next() % 1000))
                deleted.insert(key)
                if !random.happens(oneIn: 3) { inserted[key] = Array("\(random.next())".utf8) }
            }
            var rewriter = TreeRewriter(tree, nodeByteCount: 300)
            let root = try rewriter.applyKeyEdits(
                inserting: inserted.map { TreeEntry(key: $0.key, value: $0.value) }
                    .sorted { $0.key.lexicographicallyPrecedes($1.key) },
                deleting: deleted.sorted { $0.lexicographicallyPrecedes($1) }, to: &fixture.writer)
            tree = fixture.tree(root)
            for key in deleted { expected[key] = inserted[key] }
            let sorted = expected.sorted { $0.key.lexicographicallyPrecedes($1.key) }
                .map { TreeEntry(key: $0.key, value: $0.value) }
            #expect(try tree.entries() == sorted, "seed \(seed) round \(round)")
            try fixture.expectSound(tree, isUnique: true, "seed \(seed) round \(round)")
        }
    }

    @Test("An edit of one entry reads and writes one node per tree level")
    func writesLittle() throws {
        let fixture = try TreeFixture()
        let entries = TreeTests.sample(20_000)
        let tree = try fixture.build(entries, nodeByteCount: 512)
        let level = try #require(tree.root).level
        #expect(level >= 2)
        for rank in [UInt64(0), 9_999, 20_000] {
            fixture.disk.forgetHistory()
            var rewriter = TreeRewriter(tree, nodeByteCount: 512)
            let neighbour = entries[max(0, Int(rank) - 1)].key
            _ = try rewriter.apply(
                [TreeSplice(ranks: rank..<rank, entries: [TreeEntry(key: neighbour)])],
                to: &fixture.writer)
            let writes = fixture.disk.history.filter { $0.kind == .write }
            // A split adds one node per level.
            #expect(writes.count <= 2 * (level + 1), "rank \(rank): \(writes.count) nodes")
            #expect(writes.reduce(0) { $0 + $1.count } <= 2 * (level + 1) * 1024)
        }
    }

    @Test("Nodes stay filled while entries are added and removed at random positions")
    func fill() throws {
        let fixture = try TreeFixture()
        var random = SplitMix64(seed: 5)
        var tree = try fixture.build(
            (0..<3000).map { TreeRewriterTests.element($0, length: 10) }, nodeByteCount: 512)
        for round in 0..<400 {
            let rank = random.next() % tree.count
            let isRemoval = round < 250
            var rewriter = TreeRewriter(tree, nodeByteCount: 512)
            tree = fixture.tree(
                try rewriter.apply(
                    [
                        TreeSplice(
                            ranks: rank..<min(tree.count, rank + (isRemoval ? 10 : 0)),
                            entries: isRemoval
                                ? [] : [TreeRewriterTests.element(rank, length: 10)])
                    ], to: &fixture.writer))
        }
        var check = TreeCheck(tree, isUnique: false)
        try check.run()
        let byteCount = try tree.entries().reduce(0) { $0 + $1.key.count + $1.value.count + 2 }
        let least = byteCount / 512
        #expect(check.nodeCount < 3 * least, "\(check.nodeCount) nodes for \(least) full leaves")
    }
}
