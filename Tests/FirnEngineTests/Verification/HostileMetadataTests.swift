import FirnCodec
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// Checksums detect accidents only. An attacker recomputes them, so every decoder must survive any
/// bytes.
@Suite("Forged metadata")
struct HostileMetadataTests {
    private static let seeds = TestScale.seeds(3000)

    /// The bytes with some changed, cut off, or inserted.
    private static func mutated(_ bytes: [UInt8], _ generator: inout SplitMix64) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            guard !bytes.isEmpty else { break }
            let index = Int.random(in: bytes.indices, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 2: bytes[index] = 0xFF
            case 3: bytes.removeSubrange(index...)
            default: bytes.insert(contentsOf: [0xFF, 0xFF, 0xFF, 0xFF, 0x7F], at: index)
            }
        }
        return bytes
    }

    private static func store() throws -> (Store, Snapshot) {
        let disk = SimulatedFileSystem()
        let services = disk.services(entropySeed: 1)
        try makeSample("/h.firn", rowCount: 40, services: services)
        let store = try Store.open("/h.firn", readOnly: false, services: services)
        let schema = try store.itemClass()
        let transaction = try store.beginWrite()
        for row in [3, 9, 10, 11, 12, 13] {
            try transaction.delete(RowID(UInt64(row)), in: schema.id)
        }
        _ = try transaction.commit()
        return (store, try store.snapshot())
    }

    @Test("Changed bytes give an error or a catalog", .tags(.security))
    func catalogs() throws {
        let (_, snapshot) = try HostileMetadataTests.store()
        let valid = try snapshot.root.catalog.encoded()
        #expect(try Catalog(decoding: valid) == snapshot.root.catalog)
        var refused = 0
        for seed in HostileMetadataTests.seeds {
            var generator = SplitMix64(seed: seed)
            let bytes = HostileMetadataTests.mutated(valid, &generator)
            do {
                let catalog = try Catalog(decoding: bytes)
                _ = try Catalog(decoding: catalog.encoded())
            } catch { refused += 1 }
        }
        #expect(refused > HostileMetadataTests.seeds.count / 10)
    }

    @Test("Changed bytes give an error or a directory node", .tags(.security))
    func nodes() throws {
        let (_, snapshot) = try HostileMetadataTests.store()
        let table = try #require(
            snapshot.schema.classNamed("Item").flatMap { snapshot.table($0.id) })
        let valid = DirectoryNode(groups: try table.directory.groups()).encoded()
        var refused = 0
        for seed in HostileMetadataTests.seeds {
            var generator = SplitMix64(seed: seed)
            let bytes = HostileMetadataTests.mutated(valid, &generator)
            // Rows are found without reading columns, even if those are damaged.
            let ranges = try? RowRange.ranges(of: bytes)
            do {
                let node = try DirectoryNode(decoding: bytes)
                _ = node.child(
                    reference: PageReference(
                        start: 99, byteCount: 1, headByteCount: 1, checksum: 0))
                _ = try DirectoryNode(decoding: node.encoded())
                guard case .groups(let groups) = node.content else { continue }
                for group in groups { lookAtColumns(of: group, seed) }
                #expect(ranges == groups.map { RowRange($0) }, "seed \(seed)")
            } catch { refused += 1 }
        }
        #expect(refused > HostileMetadataTests.seeds.count / 10)
    }

    /// Columns that were checked when the node was read are decoded only here.
    private func lookAtColumns(of group: RowGroup, _ seed: UInt64) {
        let columns = group.columns
        for column in columns {
            #expect(group.column(column.property, column.part) == column, "seed \(seed)")
            guard column.part == .values else { continue }
            #expect(group.reference(column.property) == column.reference, "seed \(seed)")
        }
        #expect(StoredColumns(columns) == group.packed, "seed \(seed)")
        #expect(group.column(PropertyID(.max)) == nil)
    }

    @Test("Changed bytes give an error or free space inside the file", .tags(.security))
    func freeSpace() throws {
        let ranges = (0..<50).map { index in
            FreeSpace.Range(
                extent: Extent(start: 40 + UInt64(index) * 9, length: 1 + UInt64(index) % 7),
                freedAt: RootVersion(UInt64(index)))
        }
        let valid = FreeSpace(ranges: ranges).encoded()
        #expect(try FreeSpace(decoding: valid, endUnit: 2000).ranges == ranges)
        for seed in HostileMetadataTests.seeds {
            var generator = SplitMix64(seed: seed)
            let bytes = HostileMetadataTests.mutated(valid, &generator)
            guard let space = try? FreeSpace(decoding: bytes, endUnit: 2000) else { continue }
            var end: UInt64 = 32
            for range in space.ranges {
                #expect(range.extent.start >= end && range.extent.end <= 2000, "seed \(seed)")
                end = range.extent.end
            }
        }
    }

    @Test("Changed bytes give an error or a blob of the size that it claims", .tags(.security))
    func blobs() throws {
        let raw = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 300) }
        let valid = Blob.encode(raw, level: .fast)
        #expect(try valid.withBytes { try Blob.decode($0) } == raw)
        for seed in HostileMetadataTests.seeds {
            var generator = SplitMix64(seed: seed)
            let bytes = HostileMetadataTests.mutated(valid, &generator)
            guard let decoded = try? bytes.withBytes({ try Blob.decode($0) }) else { continue }
            #expect(decoded.count <= bytes.count * 256)
        }
    }

    /// Two entries that led to one page had it freed twice, and writing the free space trapped.
    @Test("Two references to one page are found before a commit", .tags(.security))
    func sharedExtent() throws {
        for overlap in [Extent(start: 40, length: 3), Extent(start: 42, length: 1)] {
            let disk = SimulatedFileSystem()
            let file = try disk.services(entropySeed: 1).files.open("/w", .createNew)
            var writer = PageWriter(
                file: file, fileID: UUID(high: 1, low: 2), level: .fast,
                space: SpaceAllocator(
                    freeSpace: FreeSpace(), endUnit: 100, building: RootVersion(3),
                    retained: RetainedRoots(),
                    bookkeeping: RetainedRoots()))
            writer.space.free(Extent(start: 40, length: 3))
            writer.space.free(overlap)
            let error = #expect(throws: StoreError.self) { _ = try writer.writeFreeSpace() }
            #expect(error?.code == .corrupt)
        }
    }

    /// A record was once compared with all before it, and a few hundred kilobytes took hours.
    @Test(
        "A very large number of classes or properties is quickly decoded or refused",
        .tags(.security)
    )
    func manyRecords() throws {
        func record(_ id: Int, _ count: Int) -> ClassRecord {
            ClassRecord(
                schema: ClassSchema(
                    id: ClassID(UInt32(id)), name: "C\(id)",
                    properties: (0..<count).map {
                        PropertySchema(
                            id: PropertyID(UInt32($0)), name: "p\($0)", type: PropertyType(.int))
                    }, key: nil), nextPropertyID: PropertyID(UInt32(count)))
        }
        var catalog = Catalog()
        catalog.nextClassID = ClassID(200_000)
        catalog.classes = (0..<20_000).map { record($0, 0) }
        #expect(try Catalog(decoding: catalog.encoded()).classes.count == 20_000)
        catalog.classes = [record(0, 10_000)]
        #expect(try Catalog(decoding: catalog.encoded()) == catalog)
        catalog.classes = [record(0, 10_001)]
        #expect(throws: CodecError.self) { try Catalog(decoding: catalog.encoded()) }
    }

    /// Counts in the catalog are trusted only if sums with them do not overflow.
    @Test("Impossible counts do not stop a commit", .tags(.security))
    func hugeCounts() throws {
        let (store, snapshot) = try HostileMetadataTests.store()
        var catalog = snapshot.root.catalog
        catalog.classes[0].liveRowCount = .max
        catalog.classes[0].groupCount = .max
        let transaction = try store.beginWrite()
        transaction.overlay.catalog = catalog
        let base = Snapshot(
            root: Root(superblock: snapshot.root.superblock, catalog: catalog), overlay: nil,
            version: snapshot.version, chain: snapshot.chain, pages: store.pages,
            pin: try RootPin(snapshot.root.superblock.rootVersion, in: store.pins))
        let other = WriteTransaction(store: store, base: base, isRecording: false) {
            () throws(StoreError) in
            OpenedPages(base: base, writer: try store.pageWriter(for: snapshot.root))
        }
        try other.create(in: catalog.classes[0].schema.id, Sample.values(900))
        #expect(try other.snapshot().table(catalog.classes[0].schema.id)?.liveRowCount == .max)
        _ = try other.commit()
    }

    /// The superblock points to a catalog as large as the largest possible file.
    @Test("A page that is larger than the file is never read", .tags(.security))
    func hugeClaim() throws {
        let disk = SimulatedFileSystem()
        let services = disk.services(entropySeed: 1)
        try makeSample("/h.firn", rowCount: 3, services: services)
        var bytes = try #require(disk.contents(of: "/h.firn"))
        let root = try Store.open("/h.firn", readOnly: true, services: services).snapshot().root
        var superblock = root.superblock
        superblock.catalog = PageReference(
            start: 40, byteCount: .max, headByteCount: .max, checksum: 1)
        for copy in superblock.copies {
            bytes.replaceSubrange(
                (copy * 4096)..<(copy * 4096 + 512), with: superblock.record(copy: copy))
        }
        disk.setContents(of: "/h.firn", to: bytes)
        let error = #expect(throws: StoreError.self) {
            _ = try Store.open("/h.firn", readOnly: true, services: services).snapshot()
        }
        #expect(error?.code == .corrupt)
    }
}
