import FirnCodec
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// A file that contains only trees, and their writer.
final class TreeFixture {
    static let path = "/trees.firn"
    let disk: SimulatedFileSystem
    let pages: PageStore
    var writer: PageWriter
    private let file: any File

    init() throws {
        disk = SimulatedFileSystem()
        file = try disk.open(TreeFixture.path, .createNew)
        let fileID = UUID(high: 1, low: 2)
        pages = PageStore(
            file: file, fileID: fileID, services: disk.services(), options: StoreOptions())
        writer = PageWriter(
            file: file, fileID: fileID, level: .fast,
            space: SpaceAllocator(
                freeSpace: FreeSpace(),
                endUnit: UInt64(Superblock.headerByteCount / Extent.unitByteCount),
                building: RootVersion(2), retained: RetainedRoots(),
                bookkeeping: RetainedRoots()))
    }

    func tree(_ root: TreeRoot?) -> Tree { Tree(root: root, pages: pages, name: "test tree") }

    /// Another reader of the same file with nothing in its cache.
    func coldTree(_ root: TreeRoot?) -> Tree {
        let pages = PageStore(
            file: file, fileID: pages.fileID, services: disk.services(),
            options: StoreOptions())
        return Tree(root: root, pages: pages, name: "test tree")
    }

    func build(_ entries: [TreeEntry], nodeByteCount: Int) throws -> Tree {
        var builder = TreeBuilder(name: "test tree", nodeByteCount: nodeByteCount)
        for entry in entries { try builder.append(entry, to: &writer) }
        let root = try builder.finish(&writer)
        publish()
        return tree(root)
    }

    /// Publishes what was written as a root of its own, which does not change.
    private func publish() {
        let space = writer.space
        writer.space = SpaceAllocator(
            freeSpace: space.freeSpace(), endUnit: space.endUnit,
            building: RootVersion(space.building.rawValue + 1),
            retained: RetainedRoots([space.building]), bookkeeping: RetainedRoots())
    }

    /// Checks that the tree is sound, and that its nodes and the free space cover the file exactly
    /// once.
    func expectSound(
        _ tree: Tree, isUnique: Bool = false, _ comment: Comment,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var check = TreeCheck(tree, isUnique: isUnique)
        try check.run()
        #expect(check.findings.isEmpty, comment, sourceLocation: sourceLocation)
        var space = SpaceMap()
        for extent in check.extents { space.use(extent, by: "tree") }
        for range in writer.space.freeSpace().ranges { space.use(range.extent, by: "free") }
        #expect(
            space.problems(endUnit: writer.space.endUnit).isEmpty, comment,
            sourceLocation: sourceLocation)
    }
}

extension Tree {
    /// All entries, in order.
    func entries(in ranks: Range<UInt64>? = nil) throws -> [TreeEntry] {
        var entries: [TreeEntry] = []
        try forEach(in: ranks ?? 0..<count) { key, value in
            entries.append(TreeEntry(key: Array(key), value: Array(value)))
            return true
        }
        return entries
    }
}
