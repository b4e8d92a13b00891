import FirnCodec
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("Hostile trees")
struct HostileTreeTests {
    private static let leaf: [UInt8] = {
        var content = TreeContent(level: 0)
        for entry in TreeTests.sample(12) { content.append(entry) }
        return content.encoded(0..<12)
    }()

    private static let inner: [UInt8] = {
        var content = TreeContent(level: 3)
        for index in 0..<9 {
            content.append(
                TreeChild(
                    firstKey: TreeTests.key(index), entryCount: UInt64(index + 1) * 100,
                    reference: PageReference(
                        start: UInt64(index * 3 + 40), byteCount: 1000, headByteCount: 1000,
                        checksum: 77)))
        }
        return content.encoded(0..<9)
    }()

    /// Whatever is decoded can be used without a trap.
    private static func use(_ raw: [UInt8]) {
        guard let node = try? TreeNode(decoding: raw) else { return }
        for index in 0..<node.content.count {
            _ = node.entries[index]
            if node.level > 0 { _ = node.content.child(at: index) }
        }
        _ = node.entries.lowerBound(of: [1])
        if node.level > 0 { _ = node.child(holding: node.entryCount - 1) }
    }

    @Test(
        "A node with any change is refused or harmless, never a trap", .tags(.security),
        arguments: [leaf, inner])
    func mutations(raw: [UInt8]) throws {
        _ = try TreeNode(decoding: raw)
        for offset in raw.indices {
            for value in [0, 1, 0x7F, 0x80, 0xFF, raw[offset] ^ 1, raw[offset] &+ 1] {
                var changed = raw
                changed[offset] = value
                HostileTreeTests.use(changed)
            }
            #expect(throws: CodecError.self) { try TreeNode(decoding: Array(raw[..<offset])) }
        }
        #expect(throws: CodecError.self) { try TreeNode(decoding: raw + [0]) }
        var random = SplitMix64(seed: 3)
        for _ in 0..<TestScale.scaled(3000) {
            var changed = raw
            for _ in 0...(random.next() % 4) {
                changed[Int(random.next() % UInt64(raw.count))] = UInt8(
                    truncatingIfNeeded: random.next())
            }
            HostileTreeTests.use(changed)
        }
    }

    @Test("Nodes with unordered keys, no items or impossible counts are refused", .tags(.security))
    func refused() {
        var unordered = TreeContent(level: 0)
        unordered.append(TreeEntry(key: [2]))
        unordered.append(TreeEntry(key: [1]))
        #expect(throws: CodecError.self) { try TreeNode(decoding: unordered.encoded(0..<2)) }
        #expect(throws: CodecError.self) {
            try TreeNode(decoding: TreeContent(level: 0).encoded(0..<0))
        }
        for counts in [[UInt64(0), 1], [.max, 1], [1 << 63, 1]] {
            var inner = TreeContent(level: 1)
            for (index, count) in counts.enumerated() {
                inner.append(
                    TreeChild(
                        firstKey: [UInt8(index)], entryCount: count,
                        reference: PageReference(
                            start: 40, byteCount: 1, headByteCount: 1, checksum: 0)))
            }
            #expect(throws: CodecError.self) { try TreeNode(decoding: inner.encoded(0..<2)) }
        }
        // A table of 30,000 empty entries in a node that LZ4 makes tiny.
        let bomb = [UInt8(0), 0xC0, 0x84, 0x3D] + [UInt8](repeating: 0, count: 2_000_000)
        #expect(throws: CodecError.self) { try TreeNode(decoding: bomb) }
    }

    @Test(
        "A parent that contradicts its children gives an error, and the check names it",
        .tags(.security))
    func wrongCounts() throws {
        let fixture = try TreeFixture()
        let root = try #require(
            try fixture.build(TreeTests.sample(300), nodeByteCount: 256).root)
        for lie in [
            TreeRoot(reference: root.reference, level: root.level + 1, entryCount: 300),
            TreeRoot(reference: root.reference, level: root.level, entryCount: 299),
            TreeRoot(reference: root.reference, level: 0, entryCount: 300),
        ] {
            let tree = fixture.coldTree(lie)
            let error = #expect(throws: StoreError.self) { try tree.entry(at: 17) }
            #expect(error?.code == .corrupt)
            #expect(throws: StoreError.self) { try tree.lowerBound([1]) }
            var check = TreeCheck(tree, isUnique: false)
            try check.run()
            #expect(check.findings.count == 1)
        }
    }

    /// A child that appears in its parent twice makes a tree in which every edit would free a page
    /// twice.
    @Test(
        "A tree that reaches one node twice is found by the check, which terminates",
        .tags(.security))
    func sharedNodes() throws {
        let fixture = try TreeFixture()
        let leaf = try #require(
            try fixture.build([TreeEntry(key: [5])], nodeByteCount: 256).root)
        var child = TreeChild(firstKey: [5], entryCount: 1, reference: leaf.reference)
        for level in 1...20 {
            var content = TreeContent(level: level)
            content.append(child)
            content.append(child)
            child = try TreeLevelWriter.write(content, 0..<2, &fixture.writer)
        }
        let tree = fixture.tree(
            TreeRoot(reference: child.reference, level: 20, entryCount: child.entryCount))
        var check = TreeCheck(tree, isUnique: false)
        try check.run()
        #expect(!check.findings.isEmpty)
        #expect(check.extents.count < 100)
        var deep = TreeContent(level: 21)
        for _ in 0..<200 { deep.append(child) }
        child = try TreeLevelWriter.write(deep, 0..<200, &fixture.writer)
        let claim = fixture.tree(
            TreeRoot(reference: child.reference, level: 21, entryCount: child.entryCount))
        let error = #expect(throws: StoreError.self) {
            try claim.forEach(in: 0..<claim.count) { _, _ in true }
        }
        #expect(error?.code == .corrupt)
    }

    @Test("A damaged page is reported by the reader and by the check", .tags(.security))
    func damagedPages() throws {
        let fixture = try TreeFixture()
        let tree = try fixture.build(TreeTests.sample(300), nodeByteCount: 256)
        let leaf = try #require(tree.root)
        let node = try tree.load(leaf)
        let place = node.content.child(at: 1).reference.byteOffset
        fixture.disk.corrupt(TreeFixture.path, at: Int(place) + 9, xor: 4)
        let cold = fixture.coldTree(tree.root)
        let error = #expect(throws: StoreError.self) { try cold.entries() }
        #expect(error?.code == .corrupt)
        #expect(try cold.entry(at: 0) == TreeTests.sample(1)[0])
        var check = TreeCheck(cold, isUnique: false)
        try check.run()
        #expect(check.findings.map(\.kind) == [.page])
    }
}
