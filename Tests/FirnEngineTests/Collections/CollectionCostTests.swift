import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// The promise about large collections: one change of a million elements costs O(log n) in time,
/// memory and bytes written.
@Suite("The cost of changing a large collection")
struct CollectionCostTests {
    private static let elementCount = 1_000_000

    @Test("An edit adds a few pieces in memory, however large the base is")
    func pieces() throws {
        let base = [CollectionEntry](
            repeating: CollectionEntry(.int(7)), count: CollectionCostTests.elementCount)
        var collection = EditedCollection(base, container: .list, path: "")
        var random = SplitMix64(seed: 2)
        for number in 0..<10_000 {
            collection.insert(
                CollectionEntry(.int(Int64(number))),
                at: Int(random.next() % UInt64(collection.count)))
        }
        // An insertion splits one stretch into two around it.
        #expect(collection.root.pieceCount <= 20_001)
        #expect(collection.root.nodeCount <= 20_001 / (PieceNode.widthMax / 2) * 2)
        #expect(EditedCollectionTests.expectSound(collection.root) <= 4)
        for _ in 0..<50_000 { collection.append(CollectionEntry(.null)) }
        #expect(collection.root.pieceCount <= 20_001 + 50_000 / PieceNode.runCountMax + 1)
        for _ in 0..<10_000 {
            collection.remove(at: Int(random.next() % UInt64(collection.count)))
        }
        #expect(collection.root.pieceCount <= 31_000)
        EditedCollectionTests.expectSound(collection.root)
    }

    @Test("An insertion in the middle reads and writes a few nodes on disk")
    func folding() throws {
        let count = CollectionCostTests.elementCount / 4 * TestScale.factor
        let fixture = try TreeFixture()
        var builder = TreeBuilder(name: "test tree")
        for number in 0..<count {
            let entry = try CollectionEntry(.int(Int64(number) &* 7919))
                .treeEntry(row: RowID(3), path: "")
            try builder.append(entry, to: &fixture.writer)
        }
        let root = try #require(try builder.finish(&fixture.writer))
        let tree = fixture.coldTree(root)
        fixture.disk.forgetHistory()
        var edited = EditedCollection(
            try LargeCollection(tree, row: RowID(3), container: .list))
        edited.insert(CollectionEntry(.int(-1)), at: count / 2)
        var rewriter = TreeRewriter(tree)
        let newRoot = try #require(
            try rewriter.apply(
                try edited.splices(row: RowID(3), firstRank: 0), to: &fixture.writer))
        #expect(newRoot.entryCount == UInt64(count) + 1)
        let writes = fixture.disk.history.filter { $0.kind == .write }
        // One node per level, and one more where a full one splits.
        #expect(writes.count <= 2 * (root.level + 1))
        let byteCount = writes.reduce(0) { $0 + $1.count }
        #expect(byteCount <= 8 * 1024 * (root.level + 2), "\(byteCount) bytes")
        #expect(tree.pages.counters.current.pages <= 6 * (root.level + 1))
        let new = try LargeCollection(fixture.tree(newRoot), row: RowID(3), container: .list)
        #expect(try new.entry(at: count / 2).value == .int(-1))
        #expect(try new.entry(at: count / 2 + 1).value == .int(Int64(count / 2) &* 7919))
    }
}
