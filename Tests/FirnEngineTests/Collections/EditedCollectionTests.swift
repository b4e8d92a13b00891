import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("Edited collections")
struct EditedCollectionTests {
    /// Three objects in one tree; the one in the middle is edited.
    struct Stored {
        let fixture: TreeFixture
        var tree: Tree
        let row = RowID(5)
        let neighbours = [RowID(4), RowID(6)]
        let container: PropertyType.Container

        init(
            _ entries: [CollectionEntry], _ container: PropertyType.Container,
            nodeByteCount: Int = 256
        ) throws {
            self.container = container
            fixture = try TreeFixture()
            var all: [TreeEntry] = []
            for (row, entries) in [
                (neighbours[0], entries.suffix(7)), (row, entries[...]),
                (neighbours[1], entries.prefix(9)),
            ] {
                all += try entries.map { try $0.treeEntry(row: row, path: "") }
            }
            tree = try fixture.build(all, nodeByteCount: nodeByteCount)
        }

        func collection(_ row: RowID? = nil) throws -> LargeCollection {
            try LargeCollection(tree, row: row ?? self.row, container: container)
        }

        mutating func fold(
            _ edited: EditedCollection, nodeByteCount: Int = 256
        ) throws {
            let firstRank = try collection().ranks.lowerBound
            var rewriter = TreeRewriter(tree, nodeByteCount: nodeByteCount)
            let root = try rewriter.apply(
                try edited.splices(row: row, firstRank: firstRank), to: &fixture.writer)
            tree = fixture.tree(root)
        }
    }

    static func numbers(_ range: Range<Int>) -> [CollectionEntry] {
        range.map { CollectionEntry(.int(Int64($0))) }
    }

    /// Checks all invariants of the tree of pieces and returns its height.
    @discardableResult
    static func expectSound(_ node: PieceNode, isRoot: Bool = true) -> Int {
        #expect(node.width <= PieceNode.widthMax)
        #expect(isRoot || node.width > 0)
        #expect(node.pieces.isEmpty || node.children.isEmpty)
        let counts = node.isLeaf ? node.pieces.map(\.count) : node.children.map(\.count)
        #expect(counts.reduce(0, +) == node.count)
        #expect(counts.allSatisfy { $0 > 0 })
        for case .added(let run) in node.pieces { #expect(run.count <= PieceNode.runCountMax) }
        let heights = node.children.map { expectSound($0, isRoot: false) }
        #expect(Set(heights).count <= 1)
        return 1 + (heights.first ?? 0)
    }

    @Test(
        "An edited collection behaves like an array, whatever its base, and folds to it",
        arguments: 0..<8
    )
    func randomLists(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var expected = EditedCollectionTests.numbers(0..<[0, 30, 700][Int(seed % 3)])
        var stored = try Stored(expected, .list)
        let neighbours = try stored.neighbours.map { try stored.collection($0).all() }
        var number: Int64 = 1_000_000
        for round in 0..<TestScale.scaled(6) {
            var edited =
                seed.isMultiple(of: 2)
                ? EditedCollection(try stored.collection())
                : EditedCollection(expected, container: .list, path: "")
            let editCount = [5, 200, 1500][Int(random.next() % 3)]
            // Sometimes edits stay close together, or remove most.
            let spread = random.happens(oneIn: 2) ? 5 : Int.max
            let removals = random.happens(oneIn: 3) ? UInt64(8) : 3
            for _ in 0..<editCount {
                number += 1
                let index = min(
                    spread, Int(random.next() % UInt64(expected.count + 1)))
                let entry = CollectionEntry(.int(number))
                switch random.next() % (5 + removals) {
                case 0, 1, 2:
                    let at = min(index, expected.count)
                    edited.insert(entry, at: at)
                    expected.insert(entry, at: at)
                case 3 where index < expected.count:
                    edited.replace(at: index, with: entry)
                    expected[index] = entry
                case 4 where index < expected.count:
                    let target = Int(random.next() % UInt64(expected.count))
                    try edited.move(from: index, to: target)
                    expected.insert(expected.remove(at: index), at: target)
                case _ where index < expected.count:
                    edited.remove(at: index)
                    expected.remove(at: index)
                default:
                    edited.append(entry)
                    expected.append(entry)
                }
            }
            if random.happens(oneIn: 10) {
                edited.removeAll()
                expected = []
            }
            let note: Comment = "seed \(seed) round \(round)"
            EditedCollectionTests.expectSound(edited.root)
            #expect(try edited.entries(in: 0..<edited.count) == expected, note)
            for _ in 0..<min(20, expected.count) {
                let index = Int(random.next() % UInt64(expected.count))
                #expect(try edited.entry(at: index) == expected[index], note)
                let end = index + Int(random.next() % UInt64(expected.count - index + 1))
                #expect(try edited.entries(in: index..<end) == Array(expected[index..<end]), note)
            }
            if seed.isMultiple(of: 2) {
                try stored.fold(edited)
            } else {
                let old = try stored.collection().ranks
                var rewriter = TreeRewriter(stored.tree, nodeByteCount: 256)
                let splices =
                    [TreeSplice(ranks: old, entries: [])]
                    + (try edited.splices(row: stored.row, firstRank: old.upperBound))
                stored.tree = stored.fixture.tree(
                    try rewriter.apply(splices, to: &stored.fixture.writer))
            }
            #expect(try stored.collection().all() == expected, note)
            #expect(
                try stored.neighbours.map { try stored.collection($0).all() } == neighbours, note)
            try stored.fixture.expectSound(stored.tree, note)
        }
    }

    @Test("A set keeps its values sorted and unique", arguments: 0..<4)
    func sets(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        func value() -> Value {
            let number = Int64(random.next() % 300)
            switch random.next() % 4 {
            case 0: return .double(Double(number) / 2)
            case 1: return .string("text \(number)")
            case 2: return number < 10 ? .null : .bool(number % 2 == 0)
            default: return .int(number)
            }
        }
        // Values that compare as equal, such as 1 and 1.0, are one element.
        var expected: [Value] = []
        func index(_ value: Value) -> Int? {
            expected.firstIndex { $0.order(relativeTo: value) == .equal }
        }
        var stored = try Stored([], .set)
        for round in 0..<4 {
            var edited = EditedCollection(try stored.collection())
            for _ in 0..<200 {
                let value = value()
                if random.happens(oneIn: 3) {
                    let found = index(value)
                    if let found { expected.remove(at: found) }
                    #expect(try edited.apply(.discard(value)) == (found != nil))
                } else {
                    let isNew = index(value) == nil
                    if isNew { expected.append(value) }
                    #expect(try edited.apply(.add(value)) == isNew)
                }
            }
            try stored.fold(edited)
            let all = try stored.collection().all().map(\.value)
            #expect(
                Set(all) == Set(expected) && all.count == expected.count, "seed \(seed) \(round)")
            for (left, right) in zip(all, all.dropFirst()) {
                #expect(left.order(relativeTo: right) == .less, "seed \(seed) \(round)")
            }
            for (index, value) in all.enumerated() {
                let position = try stored.collection().position(of: value)
                #expect(position == CollectionPosition(index: index, isFound: true))
            }
            let missing = try stored.collection().position(of: .string("zzz"))
            #expect(missing == CollectionPosition(index: all.count, isFound: false))
        }
    }

    @Test("A map keeps its keys sorted by their bytes", arguments: 0..<4)
    func maps(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var expected: [[UInt8]: Value] = [:]
        var stored = try Stored([], .map)
        for round in 0..<4 {
            var edited = EditedCollection(try stored.collection())
            for _ in 0..<200 {
                // Two spellings of one letter are two keys.
                let text = ["é", "e\u{301}", "", "k"][Int(random.next() % 4)]
                let key = text + String(random.next() % 60)
                let utf8 = Array(key.utf8)
                if random.happens(oneIn: 3) {
                    #expect(
                        try edited.apply(.drop(key)) == (expected.removeValue(forKey: utf8) != nil))
                } else {
                    let value = Value.int(Int64(random.next() % 5))
                    #expect(try edited.apply(.put(key, value)) == (expected[utf8] != value))
                    expected[utf8] = value
                }
            }
            try stored.fold(edited)
            let all = try stored.collection().all()
            let sorted = expected.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            #expect(all.map { Array(($0.key ?? "").utf8) } == sorted.map(\.key), "seed \(seed)")
            #expect(all.map(\.value) == sorted.map(\.value), "seed \(seed) round \(round)")
            for (index, entry) in all.enumerated() {
                let position = try stored.collection().position(ofKey: entry.key ?? "")
                #expect(position == CollectionPosition(index: index, isFound: true))
            }
            #expect(try !stored.collection().position(ofKey: "missing").isFound)
        }
    }

    @Test("Positions out of range are refused")
    func positions() throws {
        var list = EditedCollection(
            EditedCollectionTests.numbers(0..<3), container: .list, path: "/x.firn")
        for edit in [
            CollectionEdit.insert(4, .null), .insert(-1, .null), .replace(3, .null), .remove(3),
            .remove(-1), .move(from: 3, to: 0), .move(from: 0, to: 3), .remove(.max),
        ] {
            let error = #expect(throws: StoreError.self) { _ = try list.apply(edit) }
            #expect(error?.code == .invalidValue)
        }
        #expect(try list.entries(in: 0..<3) == EditedCollectionTests.numbers(0..<3))
        #expect(try list.apply(.move(from: 0, to: 2)))
        #expect(try list.entries(in: 0..<3).map(\.value) == [.int(1), .int(2), .int(0)])
        #expect(try list.apply(.clear))
        #expect(try !list.apply(.clear))
        #expect(list.count == 0)
    }

    @Test("Copies share all nodes except for one path")
    func sharing() throws {
        var random = SplitMix64(seed: 1)
        var collection = EditedCollection(
            EditedCollectionTests.numbers(0..<50_000), container: .list, path: "")
        for number in 0..<5000 {
            collection.insert(
                CollectionEntry(.int(Int64(number))),
                at: Int(random.next() % UInt64(collection.count)))
        }
        let before = try collection.entries(in: 0..<collection.count)
        let old = collection
        let oldNodes = Set(old.root.storages)
        #expect(oldNodes.count > 100)
        let height = EditedCollectionTests.expectSound(collection.root)
        collection.insert(CollectionEntry(.int(-1)), at: 30_000)
        let new = collection.root.storages.filter { !oldNodes.contains($0) }
        #expect(new.count <= 2 * height, "one edit copied \(new.count) of \(oldNodes.count) nodes")
        #expect(try old.entries(in: 0..<old.count) == before)
    }
}

extension LargeCollection {
    func all() throws -> [CollectionEntry] {
        var entries: [CollectionEntry] = []
        try forEach(in: 0..<count) { entry in
            entries.append(entry)
            return true
        }
        return entries
    }
}

extension PieceNode {
    /// The addresses of the arrays of all nodes: shared nodes have the same address.
    var storages: [Int] {
        let own =
            isLeaf
            ? pieces.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
            : children.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
        return [own] + children.flatMap(\.storages)
    }

    var nodeCount: Int { 1 + children.reduce(0) { $0 + $1.nodeCount } }
    var pieceCount: Int { pieces.count + children.reduce(0) { $0 + $1.pieceCount } }
}
